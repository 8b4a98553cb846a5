"""The calls of programming languages that run, read, write, delete or send.

Invariant: data only. A row is `kind: names`; what a kind means is told where it is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType


def _calls(rows: str) -> Mapping[str, str]:
    calls: dict[str, str] = {}
    kind = ""
    for word in rows.split():
        if word.endswith(":"):
            kind = word[:-1]
        else:
            calls[word] = kind
    return MappingProxyType(calls)


PYTHON = _calls("""
shell: asyncio.create_subprocess_shell commands.getoutput os.popen os.popen2 os.popen3 os.system
    pexpect.run pexpect.spawn subprocess.getoutput subprocess.getstatusoutput
process: pty.spawn subprocess.Popen subprocess.call subprocess.check_call subprocess.check_output
    subprocess.run
spread: asyncio.create_subprocess_exec
exec: os.execl os.execle os.execlp os.execlpe os.execv os.execve os.execvp os.execvpe os.posix_spawn
    os.posix_spawnp os.spawnl os.spawnle os.spawnlp os.spawnlpe os.spawnv os.spawnve os.spawnvp
    os.spawnvpe
eval: eval exec compile builtins.eval builtins.exec
module: __import__ importlib.import_module
opaque: cloudpickle.loads ctypes.CDLL dill.loads marshal.loads pickle.loads
open: open io.open codecs.open os.open builtins.open
file: runpy.run_path
delete: os.remove os.unlink os.rmdir os.removedirs
delete.recursive: shutil.rmtree
write: os.mkdir os.makedirs os.truncate os.chmod os.chown
read+write: shutil.copy shutil.copy2 shutil.copyfile shutil.copytree
delete+write: shutil.move os.rename os.replace
-+write: os.symlink os.link
network.read+write: urllib.request.urlretrieve
process.kill: os.kill os.killpg
network.read: requests.get requests.head httpx.get urllib.request.urlopen
network.send: requests.post requests.put requests.patch requests.delete httpx.post httpx.put httpx.patch
    httpx.delete smtplib.SMTP smtplib.SMTP_SSL ftplib.FTP socket.create_connection
remote.exec: paramiko.SSHClient
network.listen: http.server.HTTPServer
""")

PYTHON_METHODS = _calls("""
delete: unlink rmdir
write: write_text write_bytes touch symlink_to
read: read_text read_bytes
""")

NODE = _calls("""
shell?: .exec
shell: .execSync .execaCommand
words?: .spawn .execFile
words: .spawnSync .execFileSync .execa .execaSync Deno.Command Bun.spawn
file: fork
delete.recursive: .rmSync rimraf rimraf.sync rimrafSync fs.remove fs.removeSync fs.emptyDirSync
    fs.rmSync Deno.remove
delete.recursive?: .rm
delete: .rmdirSync .unlinkSync
delete?: .rmdir .unlink
write: .writeFileSync .appendFileSync .createWriteStream Deno.writeTextFile Bun.write
write?: .writeFile .appendFile
read: .readFileSync .createReadStream
read?: .readFile
copy: .copyFileSync
copy?: .copyFile
move: .renameSync
move?: .rename
fetch: fetch axios
network.read: axios.get https.get http.get
network.send: axios.post axios.put axios.patch axios.delete https.request http.request net.connect
    net.createConnection
eval: eval Function vm.runInNewContext vm.runInThisContext
opaque?: atob
process.kill: process.kill
unknown: Deno.run
opaque: process.binding
module: require import
""")

RUBY = _calls("""
shell: system exec spawn Kernel.system Kernel.exec Kernel.spawn IO.popen Open3.capture2 Open3.capture2e
    Open3.capture3 Open3.popen3 Process.spawn PTY.spawn
delete.recursive: FileUtils.rm_rf FileUtils.rm_r FileUtils.remove_dir FileUtils.remove_entry
    FileUtils.remove_entry_secure FileUtils.rmtree rm_rf rm_r Pathname.rmtree
delete: FileUtils.rm FileUtils.rm_f File.delete File.unlink Dir.rmdir Dir.delete
write: File.write IO.write FileUtils.touch FileUtils.mkdir_p
open: File.open open
copy: FileUtils.cp
move: FileUtils.mv File.rename
read: File.read IO.read
network.send: Net.HTTP.post Net.HTTP.post_form
network.read: Net.HTTP.get URI.open
process.kill: Process.kill
eval: eval
eval?: instance_eval class_eval
""")

PERL = _calls("""
shell: system exec
delete: unlink rmdir
delete.recursive: rmtree remove_tree
perlopen: open
eval: eval
move: rename move
process.kill: kill
write: mkdir
copy: copy
""")

PHP = _calls("""
shell: system exec shell_exec passthru popen proc_open
words: pcntl_exec
delete: unlink rmdir
write: file_put_contents mkdir touch
open: fopen
move: rename
copy: copy
eval: eval assert
opaque: create_function
read: file_get_contents
opaque?: base64_decode
network.send: mail fsockopen curl_exec
""")

LUA = _calls("""
shell: os.execute io.popen
delete: os.remove
move: os.rename
open: io.open
eval: load loadstring
unknown: dofile
""")

R = _calls("""
shell: system shell
words: system2
delete.recursive: unlink
delete: file.remove
eval?: eval
""")

GO = _calls("""
words: exec.Command syscall.Exec
delete.recursive: os.RemoveAll
delete: os.Remove
write: os.WriteFile
""")
