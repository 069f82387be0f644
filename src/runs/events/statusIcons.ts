import { getOwnField } from '#base/records/ownField.ts';

/** Codicons by the status of a run or node. */
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
	info: 'info',
	skipped: 'dash',
};

/** Returns the codicon of a status; `loading` spins. Unknown statuses look like finished ones. */
export function getStatusCodicon(status: string): string {
	return getOwnField(icons, status) ?? 'circle-outline';
}
