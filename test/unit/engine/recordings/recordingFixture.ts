import type { OpenRecordingRequest, RecordedCall } from '#contract/recordings/recordings.ts';
import { RecordingSession } from '#engine/recordings/recordingSession.ts';
import { updateRecordingText } from '#runs/recordings/recordingFile.ts';

const readNothing = () => {
	throw new Error('no parts in this test');
};

/** Writes recorded calls to the text of a recording. */
export function writeCalls(calls: readonly RecordedCall[], text = ''): string {
	return updateRecordingText(text, { calls, used: new Set(), renewed: [], creator: 'a test' }).text;
}

/** Opens a recording with this request. */
export function openSession(request: OpenRecordingRequest, readPart: (name: string) => string = readNothing): RecordingSession {
	return new RecordingSession(request, { readPart, redactText: text => text.replaceAll('gateway-key-canary', '***') });
}
