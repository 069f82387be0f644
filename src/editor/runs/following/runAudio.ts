import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isEvent } from '#contract/events.ts';
import type { EventJournals } from '#runs/history/eventJournals.ts';

/**
 * Puts the pieces of spoken text of a run together in a file that can be played, and returns its path; `undefined` where there are none.
 * Each piece is base64 of MP3 frames (wire facts 1.5), which play one after another as one file; each ends with its own padding.
 */
export async function audioOf(journals: EventJournals, key: string, folder: string): Promise<string | undefined> {
	const pieces: Buffer[] = [];
	for await (const entry of journals.read(key)) {
		if ('event' in entry && isEvent(entry.event, 'tts_message')) {
			pieces.push(Buffer.from(entry.event.audio, 'base64'));
		}
	}
	if (pieces.length === 0) {
		return undefined;
	}
	const audio = Buffer.concat(pieces);
	const file = path.join(folder, `${key}.${endingOf(audio)}`);
	await mkdir(folder, { recursive: true });
	await writeFile(file, audio);
	return file;
}

/** Services say MP3 and some send WAV: the first bytes tell. */
function endingOf(audio: Buffer): string {
	return audio.subarray(0, 4).toString('latin1') === 'RIFF' ? 'wav' : audio.subarray(0, 4).toString('latin1') === 'OggS' ? 'ogg' : 'mp3';
}
