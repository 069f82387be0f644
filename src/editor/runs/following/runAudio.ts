import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isEvent } from '#contract/events.ts';
import type { EventJournals } from '#runs/history/eventJournals.ts';

/**
 * Writes the audio of a run to a file and returns its path, or `undefined` if there is no audio. Each chunk is base64 of MP3 frames with
 * separate padding (wire facts 1.5), so the concatenated frames are a valid file.
 */
export async function saveAudio(journals: EventJournals, key: string, folder: string): Promise<string | undefined> {
	const chunks: Buffer[] = [];
	for await (const entry of journals.readEntries(key)) {
		if ('event' in entry && isEvent(entry.event, 'tts_message')) {
			chunks.push(Buffer.from(entry.event.audio, 'base64'));
		}
	}
	if (chunks.length === 0) {
		return undefined;
	}
	const audio = Buffer.concat(chunks);
	const file = path.join(folder, `${key}.${detectExtension(audio)}`);
	await mkdir(folder, { recursive: true });
	await writeFile(file, audio);
	return file;
}

/** Detects the format from the first bytes, because some services announce MP3 but send WAV. */
function detectExtension(audio: Buffer): string {
	return audio.subarray(0, 4).toString('latin1') === 'RIFF' ? 'wav' : audio.subarray(0, 4).toString('latin1') === 'OggS' ? 'ogg' : 'mp3';
}
