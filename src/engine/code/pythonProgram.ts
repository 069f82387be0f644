/**
 * What Python runs. Where there is `fork`, the process that is started watches over a second one with the agent's code: when that has ended, or
 * standard input closes (as the gateway does when the time is over, and the system when the gateway is no more), it ends all that the code has
 * started. On Linux it is told of processes that left their parent and their group too. The result goes out as one line on a descriptor of its own, so
 * that `print` does no harm; address space, processor time and size of files are limited where the system can.
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
