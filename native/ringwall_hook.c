/* ringwall-hook HOST [--notify]: hands a hook payload to the daemon and gives its reply back.
 *
 * Invariant: standard output is one complete JSON object or nothing, and without a verdict the exit status
 * is 2, which stops the call on every host (1 with --notify, where no call waits). With no daemon to ask,
 * `ringwall hook HOST` beside this program answers. The frames are described in daemon/protocol.py; the
 * same client in Python is daemon/client.py, and both are held to the same tests.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif
#ifdef __linux__
#include <sys/mman.h>
#endif
#ifndef RINGWALL_VERSION
#error "define RINGWALL_VERSION"
#endif

enum { HEAD = 13, PAYLOAD_LIMIT = 64 << 20, REPLY_LIMIT = 16 << 20, VALUE_LIMIT = 4096 };
enum { DECIDE_SECONDS = 58, NOTIFY_SECONDS = 8 };

static const char *const ENVIRONMENT[] = {
    "HOME", "USER", "LOGNAME", "PATH", "SHELL", "TMPDIR", "OLDPWD", "CDPATH", "BASH_ENV", "EDITOR", "VISUAL",
    "PAGER", "GIT_DIR", "GIT_WORK_TREE", "GIT_EDITOR", "GIT_PAGER", "GIT_SSH_COMMAND", "XDG_CONFIG_HOME",
    "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "VIRTUAL_ENV", "CLAUDE_PROJECT_DIR", "CLAUDE_CONFIG_DIR",
    "CLAUDE_CODE_ENTRYPOINT", "RINGWALL_HEADLESS", "RINGWALL_IDENTITY", "CODEX_HOME", "COPILOT_HOME", "DSH_HOME", "PI_CODING_AGENT_DIR",
};

static int notify, no_verdict = 2;

static void stop(const char *why) {
    char text[512];
    int length = snprintf(text, sizeof text,
                          "Ringwall has no verdict: %s. Run `ringwall doctor`.\n", why);
    if (write(2, text, (size_t)length) < 0) { /* nothing is left to tell it to */ }
    _exit(no_verdict);
}

static int write_all(int fd, const char *data, size_t size) {
    while (size) {
        ssize_t done = write(fd, data, size);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return -1;
        data += done;
        size -= (size_t)done;
    }
    return 0;
}

/* Both parts, in one call where the socket takes them so: the daemon then wakes to a whole request. */
static int write_both(int fd, char *first, size_t size, char *second, size_t rest) {
    struct iovec parts[2] = {{first, size}, {second, rest}};
    ssize_t done;
    do done = writev(fd, parts, 2);
    while (done < 0 && errno == EINTR);
    if (done < 0) return -1;
    if ((size_t)done < size) return write_all(fd, first + done, size - (size_t)done) || write_all(fd, second, rest);
    return write_all(fd, second + ((size_t)done - size), rest - ((size_t)done - size));
}

/* Up to `size` bytes; fewer only where the other side ends. -1 for a fault. */
static ssize_t read_up_to(int fd, char *data, size_t size) {
    size_t got = 0;
    while (got < size) {
        ssize_t done = read(fd, data + got, size - got);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return -1;
        if (done == 0) break;
        got += (size_t)done;
    }
    return (ssize_t)got;
}

static char *read_payload(size_t *size) {
    size_t room = 65536;
    char *data = malloc(room);
    *size = 0;
    while (data) {
        ssize_t done = read(0, data + *size, room - *size);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) stop("the payload cannot be read");
        if (done == 0) return data;
        *size += (size_t)done;
        if (*size > PAYLOAD_LIMIT) stop("the payload is larger than 64 MiB");
        if (*size == room) data = realloc(data, room *= 2);
    }
    stop("there is no memory for the payload");
    return NULL;
}

static void put_u32(unsigned char *at, size_t value) {
    for (int i = 0; i < 4; i++) at[i] = (unsigned char)(value >> (24 - 8 * i));
}

static size_t get_u32(const unsigned char *at) {
    return (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
}

/* The header: version, host, notify, NAME=value…, each ended by NUL, after magic and the two sizes. */
static size_t make_header(char *frame, size_t room, const char *host, size_t payload) {
    size_t at = 12;
    at += (size_t)snprintf(frame + at, room - at, "%s%c%s%c%d%c", RINGWALL_VERSION, 0, host, 0, notify, 0);
    for (size_t i = 0; i < sizeof ENVIRONMENT / sizeof *ENVIRONMENT; i++) {
        const char *value = getenv(ENVIRONMENT[i]);
        if (value && strlen(value) <= VALUE_LIMIT)
            at += (size_t)snprintf(frame + at, room - at, "%s=%s%c", ENVIRONMENT[i], value, 0);
    }
    memcpy(frame, "RWQ1", 4);
    put_u32((unsigned char *)frame + 4, at - 12);
    put_u32((unsigned char *)frame + 8, payload);
    return at;
}

static int state_directory(char *path, size_t room) {
    const char *chosen = getenv("RINGWALL_HOME"), *home = getenv("HOME"), *base = getenv("XDG_STATE_HOME");
    int length;
    if (chosen) length = snprintf(path, room, "%s", chosen);
    else if (base && *base == '/') length = snprintf(path, room, "%s/ringwall", base);
#ifdef __APPLE__
    else if (home) length = snprintf(path, room, "%s/Library/Application Support/ringwall", home);
#else
    else if (home) length = snprintf(path, room, "%s/.local/state/ringwall", home);
#endif
    else return -1;
    return length < (int)room && *path == '/' ? 0 : -1;
}

/* A connection to the daemon, or -1. The socket is named relative to its directory, so its length never
 * exceeds what an address can hold. */
static int connect_daemon(void) {
    char path[PATH_MAX];
    struct stat entry;
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "daemon.sock"};
    struct timeval limit = {.tv_sec = notify ? NOTIFY_SECONDS : DECIDE_SECONDS};
    int here = open(".", O_RDONLY | O_CLOEXEC), fd = -1;
    if (state_directory(path, sizeof path) == 0 && chdir(path) == 0) {
        if (stat(".", &entry) == 0 && entry.st_uid == geteuid() && !(entry.st_mode & (S_IWGRP | S_IWOTH)))
            fd = socket(AF_UNIX, SOCK_STREAM, 0);
        if (fd >= 0) {
            setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
            setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
            if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
                close(fd);
                fd = -1;
            }
        }
        if (here >= 0 && fchdir(here) != 0) { /* the directory is gone; the payload names it */ }
    }
    if (here >= 0) close(here);
    return fd;
}

/* Whether the text is one object: it opens, and closes at its last byte and not before. */
static int is_object(const char *text, size_t size) {
    size_t depth = 0;
    int quoted = 0;
    if (size < 2 || *text != '{') return 0;
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        if (quoted) {
            if (c == '\\') i++;
            else if (c == '"') quoted = 0;
        } else if (c == '"') quoted = 1;
        else if (c == '{' || c == '[') depth++;
        else if ((c == '}' || c == ']') && --depth == 0) return i == size - 1;
    }
    return 0;
}

static void own_directory(char *path, uint32_t room) {
#ifdef __APPLE__
    char found[PATH_MAX];
    if (_NSGetExecutablePath(found, &room) != 0 || !realpath(found, path)) stop("its own place is not known");
#else
    ssize_t length = readlink("/proc/self/exe", path, room - 1);
    if (length <= 0) stop("its own place is not known");
    path[length] = 0;
#endif
    *strrchr(path, '/') = 0;
}

/* No daemon: the Python path answers, with the payload as its standard input. */
static void judge_without_daemon(char *host, const char *payload, size_t size) {
    char program[PATH_MAX + 16];
    int status, fd;
    FILE *spare;
    pid_t child;
#ifdef __linux__
    fd = memfd_create("payload", 0);
#else
    fd = -1;
#endif
    if (fd < 0 && (spare = tmpfile())) fd = fileno(spare);
    if (fd < 0 || write_all(fd, payload, size) || lseek(fd, 0, SEEK_SET) || dup2(fd, 0) < 0)
        stop("the payload cannot be handed on");
    own_directory(program, PATH_MAX);
    strcat(program, "/ringwall");
    if (notify) setenv("RINGWALL_HOOK_NOTIFY", "1", 1);
    else unsetenv("RINGWALL_HOOK_NOTIFY");
    child = fork();
    if (child == 0) {
        char *const words[] = {program, "hook", host, NULL};
        signal(SIGPIPE, SIG_DFL);
        execv(program, words);
        _exit(127);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (child < 0 || !WIFEXITED(status)) stop("`ringwall hook` was killed");
    if (WEXITSTATUS(status) == 127) stop("`ringwall hook` cannot be run");
    _exit(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == no_verdict ? WEXITSTATUS(status) : no_verdict);
}

int main(int count, char **words) {
    static char frame[sizeof ENVIRONMENT / sizeof *ENVIRONMENT * (VALUE_LIMIT + 32) + 1024];
    static char first[16384];
    unsigned char *head;
    char *host = NULL, *payload, *reply;
    size_t size, out, err;
    ssize_t got;
    for (int i = 1; i < count; i++)
        if (strcmp(words[i], "--notify") == 0) notify = no_verdict = 1;
    for (int i = 1; i < count; i++) {
        if (strcmp(words[i], "--version") == 0) return puts("ringwall-hook " RINGWALL_VERSION) < 0;
        if (strcmp(words[i], "--notify") == 0) continue;
        if (!host && *words[i] != '-' && *words[i] && strlen(words[i]) < 64) host = words[i];
        else stop("usage: ringwall-hook HOST [--notify]");
    }
    if (!host) stop("usage: ringwall-hook HOST [--notify]");
    signal(SIGPIPE, SIG_IGN);
    payload = read_payload(&size);
    int fd = connect_daemon();
    if (fd < 0) judge_without_daemon(host, payload, size);
    if (write_both(fd, frame, make_header(frame, sizeof frame, host, size), payload, size))
        stop("the daemon ended in the middle of the call");
    got = read_up_to(fd, first, sizeof first);
    if (got < HEAD) stop("the daemon ended in the middle of the call");
    if (memcmp(first, "RWX1", 4) == 0) judge_without_daemon(host, payload, size);
    head = (unsigned char *)first;
    out = get_u32(head + 5);
    err = get_u32(head + 9);
    if (memcmp(head, "RWR1", 4) || head[4] > 2 || out > REPLY_LIMIT || err > REPLY_LIMIT)
        stop("the daemon's reply is malformed");
    reply = first + HEAD;
    if ((size_t)got - HEAD > out + err) stop("the daemon's reply is malformed");
    if (got == sizeof first) { /* there may be more */
        reply = malloc(out + err + 1);
        if (!reply) stop("there is no memory for the reply");
        memcpy(reply, first + HEAD, sizeof first - HEAD);
        got += read_up_to(fd, reply + sizeof first - HEAD, out + err + 1 - (sizeof first - HEAD));
    }
    if ((size_t)got < HEAD + out + err) stop("the daemon's reply is cut off");
    if ((size_t)got > HEAD + out + err) stop("the daemon's reply is malformed");
    if (out && !is_object(reply, out)) stop("the daemon's reply is not a JSON object");
    if (write_all(2, reply + out, err) || write_all(1, reply, out)) stop("the reply cannot be written");
    return head[4];
}
