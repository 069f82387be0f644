/** A started process. */
interface StartedProcess {
	readonly pid?: number | undefined;
	kill(signal: NodeJS.Signals): unknown;
}

/** Returns the options of `spawn` for a process in its own group, which {@link killProcessGroup} can end. Windows has no such groups. */
export function getGroupOptions(platform: NodeJS.Platform = process.platform): { detached: boolean } {
	return { detached: platform !== 'win32' };
}

/** Sends a signal to a process and its children, or on Windows ends only the process. Does nothing if they have ended. */
export function killProcessGroup(
	child: StartedProcess,
	signal: NodeJS.Signals,
	platform: NodeJS.Platform = process.platform,
	kill: (pid: number, signal: NodeJS.Signals) => unknown = process.kill,
): void {
	try {
		if (platform === 'win32' || child.pid === undefined) {
			child.kill(signal);
		} else {
			kill(-child.pid, signal);
		}
	} catch {
		// the processes have already ended
	}
}
