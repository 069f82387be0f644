import { type IncomingHttpHeaders, validateHeaderValue } from 'node:http';
import { tryParseJson } from '#base/text/json.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { recordingUseSchema } from '#contract/recordings/recordings.ts';
import { getPlaceKey, recordingHeader } from '#contract/recordings/scanRecording.ts';
import { replyShapes } from '#engine/recordings/replyShapes.ts';
import type { RecordedTurn } from '#engine/recordings/runRecording.ts';
import type { OpenRecordings } from './openRecordings.ts';

/** A text generation request of a suite, such as that of a judge. */
interface RecordableText {
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	readonly readBody: () => Promise<Buffer>;
}

/** A recorded reply to a text generation request. */
interface RecordedTextReply {
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Buffer;
}

/** Replays a recorded reply to a request, or records the reply that it gets. */
export type TextTurn = { readonly reply: RecordedTextReply } | { readonly record: (reply: RecordedTextReply) => void };

/**
 * Returns what a text generation request does with the recording that its header names; undefined if it names none. Throws an error: 400 if
 * the recording has no reply, 404 if it isn't open.
 */
export async function takeTextTurn(recordings: OpenRecordings, { path, headers, readBody }: RecordableText): Promise<TextTurn | undefined> {
	const header = headers[recordingHeader];
	if (header === undefined) {
		return undefined;
	}
	const use = recordingUseSchema.safeParse(tryParseJson(tryDecode(String(header)))).data;
	if (!use) {
		throw new ServiceFault(400, `The header ${recordingHeader} isn't valid.`);
	}
	// the text that a judge grades is between tags with a random name
	const body = (await readBody()).toString().replace(/\btext-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'text-to-grade');
	const recording = recordings.getRunRecording(use, `texts ${getPlaceKey(use)}`);
	const marks = await recordings.createTextMarks(use);
	let turn: RecordedTurn;
	try {
		turn = recording.takeTurn({
			kind: 'text',
			node: path,
			marks,
			request: tryParseJson(body) ?? body,
			shape: replyShapes.text,
			signal: new AbortController().signal,
		});
	} catch (error) {
		throw (error as Error).name === 'RecordingMissing' || (error as Error).name === 'RecordingFormatError'
			? new ServiceFault(400, (error as Error).message, { cause: error })
			: error;
	}
	if ('replayed' in turn) {
		const { headers: replied = {}, body: text = '' } = turn.replayed.reply as { headers?: Record<string, string>; body?: string };
		return { reply: { headers: pickHeaders(replied), body: Buffer.from(text) } };
	}
	const { record } = turn;
	return {
		record: ({ headers: { 'content-encoding': _, ...received }, body: text }) =>
			record({ reply: { headers: received, body: text.toString() }, meta: { at: new Date().toISOString().slice(0, 10) } }),
	};
}

/** Headers of a recorded reply that a replay sends. Others, such as those for the length and encoding, may not fit the reply. */
const replayedHeaders = ['content-type', 'cache-control', 'warning'];

/** Returns the headers to replay. Throws an error (400) for one that can't be sent, because anyone may have edited the recording. */
function pickHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
	const picked = Object.entries(headers).filter(([name]) => replayedHeaders.includes(name));
	for (const [name, value] of picked) {
		try {
			validateHeaderValue(name, value);
		} catch (cause) {
			throw new ServiceFault(400, `The header '${name}' of the recorded reply contains characters that headers can't have.`, { cause });
		}
	}
	return Object.fromEntries(picked);
}

function tryDecode(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return '';
	}
}
