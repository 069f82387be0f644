/**
 * The program that Python runs. If `fork` exists, the started process supervises a second one that runs the agent's code. When that one
 * ends, or standard input closes (the gateway closes it on timeout, the system closes it when the gateway has died), the supervisor ends
 * everything that the code has started. On Linux this includes processes that left their parent and group. The result is written as one
 * line to a separate descriptor, so that `print` doesn't interfere. Address space, processor time and file size are limited if the system
 * supports it.
 */
export const pythonProgram = `
import json, os, sys, threading, time
job = json.loads(sys.stdin.buffer.readline())

def call():
    try:
        import resource
        resource.setrlimit(resource.RLIMIT_AS, (job["memory"], job["memory"]))
        resource.setrlimit(resource.RLIMIT_CPU, (job["seconds"], job["seconds"]))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except Exception:
        pass
    try:
        scope = {"__name__": "main"}
        exec(compile(job["code"], "main.py", "exec"), scope)
        result = scope["main"](**job["inputs"])
        floats = [key for key, value in result.items() if type(value) is float] if type(result) is dict else []
        reply = {"result": result, "floats": floats}
        text = json.dumps(reply, ensure_ascii=True, allow_nan=False)
    except BaseException as error:
        text = json.dumps({"error": (type(error).__name__ + ": " + str(error))[:2000]})
    with os.fdopen(3, "w") as out:
        out.write(text + "\\n")
    os._exit(0)

def watch(end):
    while os.read(0, 65536):
        pass
    end()
    os._exit(1)

def prctl(option, value):
    try:
        import ctypes
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
    except Exception:
        pass

def parent_of(pid):
    try:
        with open("/proc/" + pid + "/stat") as stat:
            return int(stat.read().rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return 0

def end_all():
    me = os.getpid()
    while True:
        for pid in os.listdir("/proc") if sys.platform == "linux" else [str(child)]:
            if pid.isdigit() and (sys.platform != "linux" or parent_of(pid) == me):
                try:
                    os.kill(int(pid), 9)
                except OSError:
                    pass
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.002)

if not hasattr(os, "fork"):
    threading.Thread(target=watch, args=(lambda: None,), daemon=True).start()
    call()
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
if sys.platform == "linux":
    prctl(PR_SET_CHILD_SUBREAPER, 1)
child = os.fork()
if child == 0:
    if sys.platform == "linux":
        prctl(PR_SET_PDEATHSIG, 9)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    call()
os.close(3)
threading.Thread(target=watch, args=(end_all,), daemon=True).start()
try:
    os.waitpid(child, 0)
except ChildProcessError:
    pass
end_all()
os._exit(0)
`;
