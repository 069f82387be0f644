import type { RunRecord } from './runTypes.ts';

type HasStatus = Pick<RunRecord, 'status'>;

/** True if a run is active, as far as we know: its time is counted and its service is polled. */
export function isRunActive({ status }: HasStatus): boolean {
	return status === 'starting' || status === 'running' || status === 'stopping';
}

/** True if a run is waiting for input: it costs nothing and can wait for days, but isn't over. */
export function isRunPaused({ status }: HasStatus): boolean {
	return status === 'paused';
}

/** True if a run is over, as far as we know. */
export function isRunOver(record: HasStatus): boolean {
	return !isRunActive(record) && !isRunPaused(record);
}

/** True if a run is over and there is nothing more to look up. */
export function isRunFinished(record: HasStatus): boolean {
	return isRunOver(record) && record.status !== 'lost';
}
