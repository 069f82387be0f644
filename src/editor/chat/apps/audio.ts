import { Problem } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import type { AppFeatures } from '#client/appFeatures.ts';
import type { UploadSource } from '#client/call.ts';
import type { Speech } from '#pages/chat/panel/panelProtocol.ts';
import type { ReplyOfApp } from './appOfReply.ts';

/** Endings of the audio files that services listen to (Dify's reference). */
export const audioEndings = ['mp3', 'mp4', 'mpeg', 'mpga', 'm4a', 'wav', 'webm', 'amr'];

/** Most bytes of speech that a page is given. */
const mostBytes = 50_000_000;

/** A reply, read aloud by its service. Rejects where that sends no audio. */
export async function speechOf(app: AppFeatures, { reply, user, connection }: ReplyOfApp, words: Localization): Promise<Speech> {
	const { type, data } = await app.textToAudio({ user, message_id: reply.messageId });
	if (!/^audio\/[\w.+-]+$/.test(type)) {
		throw new Problem('protocol', words.t('“{0}” sent no audio, but “{1}”.', connection.name, type || words.t('nothing')));
	}
	if (data.length > mostBytes) {
		throw new Problem('too-large', words.t('The speech has {0} bytes; {1} are the most that are played.', data.length, mostBytes));
	}
	return { mimeType: type, data: Buffer.from(data).toString('base64') };
}

/** What is said in an audio file. What the service does not take is said in words. */
export async function textOfAudio(
	app: AppFeatures,
	file: UploadSource,
	user: string,
	connection: string,
	words: Localization,
): Promise<string> {
	try {
		return await app.audioToText(file, { user });
	} catch (error) {
		const { status, code } = error as { readonly status?: unknown; readonly code?: unknown };
		const said =
			status === 413
				? words.t('{0} is too large for “{1}”. Cut the recording, or send it in parts.', file.name, connection)
				: status === 415
					? words.t('“{0}” does not listen to files like {1}. It takes MP3, MP4, M4A, WAV, WebM and AMR.', connection, file.name)
					: code === 'speech_to_text_disabled'
						? words.t('The app at “{0}” does not listen: speech to text is switched off there.', connection)
						: undefined;
		throw said === undefined ? error : new Problem('audio', said, undefined, { cause: error });
	}
}
