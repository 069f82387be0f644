import { ownField } from '#base/records/ownField.ts';

/** Codicon of each status of a run or node, by its name; the same wherever one is shown. */
const icons: Readonly<Record<string, string>> = {
	starting: 'loading',
	running: 'loading',
	stopping: 'loading',
	succeeded: 'pass',
	'partial-succeeded': 'warning',
	exception: 'warning',
	failed: 'error',
	stopped: 'circle-slash',
	paused: 'debug-pause',
	waited: 'debug-pause',
	lost: 'debug-disconnect',
	unfinished: 'question',
	told: 'info',
	skipped: 'dash',
};

/** Name of the codicon of a status; it spins where it is `loading`. Statuses that are not known pass as finished. */
export function statusCodicon(status: string): string {
	return ownField(icons, status) ?? 'circle-outline';
}
