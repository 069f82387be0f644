import type { RunRecord } from './runTypes.ts';

type HasStatus = Pick<RunRecord, 'status'>;

/** Whether a run works on, as far as is known here: its time is counted, and its service is asked how it stands. */
export function isActive({ status }: HasStatus): boolean {
	return status === 'starting' || status === 'running' || status === 'stopping';
}

/** Whether a run waits for a person: it costs nothing and can wait for days, but it is not over. */
export function isPaused({ status }: HasStatus): boolean {
	return status === 'paused';
}

/** Whether a run is over, as far as is known here. */
export function isOver(record: HasStatus): boolean {
	return !isActive(record) && !isPaused(record);
}

/** Whether nothing more will come of a run: it is over, and there is nothing to look up. */
export function isFinished(record: HasStatus): boolean {
	return isOver(record) && record.status !== 'lost';
}
