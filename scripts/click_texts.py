"""The words of click that a person may see, so that they stand in our catalogues too.

Never imported: Babel reads it. `catalogue.click_speaks` lets click find the translations.
"""

from gettext import gettext as _
from gettext import ngettext

TEXTS = (
    _("Usage:"),
    _("Options"),
    _("Commands"),
    _("Positional arguments"),
    _("Show the version and exit."),
    _("Show this message and exit."),
    _("default: {default}"),
    _("Missing command."),
    _("Missing argument"),
    _("Missing option"),
    _("Missing parameter"),
    _("Invalid value: {message}"),
    _("Invalid value for {param_hint}: {message}"),
    _("No such option {name!r}."),
    _("No such command {name!r}."),
    _("Could not open file {filename!r}: {message}"),
    _("Option {name!r} does not take a value."),
    _("Argument {name!r} takes {nargs} values."),
    _("Choose from:\n\t{choices}"),
    _("{value!r} is not a valid {number_type}."),
    _("file"),
    _("directory"),
    _("path"),
    _("{name} {filename!r} does not exist."),
    _("{name} {filename!r} is a file."),
    _("{name} {filename!r} is a directory."),
    _("{name} {filename!r} is not readable."),
    _("Error: invalid input"),
    ngettext("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})", 1),
    ngettext("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)", 1),
    ngettext("Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments.", 1),
    ngettext("{value!r} is not {choice}.", "{value!r} is not one of {choices}.", 1),
)
