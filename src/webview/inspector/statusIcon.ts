const icons: Readonly<Record<string, string>> = {
	starting: 'loading codicon-modifier-spin',
	running: 'loading codicon-modifier-spin',
	stopping: 'loading codicon-modifier-spin',
	succeeded: 'pass',
	'partial-succeeded': 'warning',
	exception: 'warning',
	failed: 'error',
	stopped: 'circle-slash',
	paused: 'debug-pause',
	lost: 'debug-disconnect',
	unfinished: 'question',
	told: 'info',
	skipped: 'dash',
};

/** Classes of the icon of a status, the same as the tree's. */
export function statusIcon(status: string): string {
	return `statusIcon ${status} codicon codicon-${icons[status] ?? 'circle-outline'}`;
}
