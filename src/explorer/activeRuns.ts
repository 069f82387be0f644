import type { RunRecord } from '../workflows/runTypes.ts';

/** Whether a run still goes on, as far as is known here. */
export function isActive(run: Pick<RunRecord, 'status'>): boolean {
	return run.status === 'starting' || run.status === 'running' || run.status === 'stopping';
}
