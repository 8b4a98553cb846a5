# `make demo` shows Ringwall at work; `make test` installs what the tests need and runs them all.
# Everything stays in this folder (.venv, .hosts, caches); nothing is written to your home.

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready

.PHONY: demo test git check bench requirements catalogue docs clean

demo: git $(STAMP)
	@$(BIN)/python demo/run.py

test: $(STAMP)
	@sh scripts/test_needs.sh
	@checks=held; $(MAKE) --no-print-directory check || checks=failed; \
	$(BIN)/python -m pytest -q -n auto --dist loadgroup && \
	{ [ $$checks = held ] || { echo "The tests passed; the checks before them did not, see above." >&2; exit 1; }; }

git:
	@command -v git >/dev/null 2>&1 || \
	{ echo "git is not here, and the demo makes a repository. Install it (Debian: apt install git)." >&2; exit 1; }

check: $(STAMP)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

bench: $(STAMP)
	@$(BIN)/python -m benchmarks

requirements: $(STAMP)
	@$(BIN)/python scripts/requirements.py

docs: $(STAMP)
	@$(BIN)/python scripts/pictures.py
	@$(BIN)/python scripts/console_pictures.py

$(STAMP): pyproject.toml build_client.py native/ringwall_hook.c scripts/environment.sh
	@sh scripts/environment.sh $(VENV)
	@touch $(STAMP)

clean:
	rm -rf $(VENV) .hosts build dist
