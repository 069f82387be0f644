import { RecordingFormatError } from '#contract/recordings/scanRecording.ts';

/** Advice at the end of the message about a missing reply. */
export const recordAdvice = "Record it with the mode 'new', or all of the recording with 'all'.";

/** Thrown for a request that a recording has no reply to, while nothing may be called. */
export class RecordingMissing extends Error {
	override readonly name = 'RecordingMissing';
	readonly reason = 'recording-missing';
}

/** True if a node failed because a recording has no valid reply. No error strategy applies, because the run isn't what was recorded. */
export function isRecordingMissing(error: unknown): boolean {
	const isMissing = (each: unknown) => each instanceof RecordingMissing || each instanceof RecordingFormatError;
	return isMissing(error) || (error instanceof Error && isMissing(error.cause));
}
