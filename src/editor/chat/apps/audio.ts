import { Problem } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import type { AppFeatures } from '#client/appFeatures.ts';
import type { UploadSource } from '#client/call.ts';
import type { Speech } from '#pages/chat/panel/panelProtocol.ts';
import { formatMegabytes } from '../attachments/attachments.ts';
import type { ReplyOfApp } from './appOfReply.ts';

/** File extensions that Dify accepts. */
export const audioEndings = ['mp3', 'mp4', 'mpeg', 'mpga', 'm4a', 'wav', 'webm', 'amr'];

/** Maximum size of the audio sent to a page, in bytes. */
const mostBytes = 50_000_000;

/** Fetches a reply as speech from its service. Rejects if the response isn't audio. */
export async function fetchSpeech(app: AppFeatures, { reply, user, connection }: ReplyOfApp, words: Localization): Promise<Speech> {
	const { type, data } = await app.convertTextToSpeech({ user, message_id: reply.messageId });
	if (!/^audio\/[\w.+-]+$/.test(type)) {
		throw new Problem(
			'protocol',
			type ? words.t("'{0}' sent '{1}' instead of audio.", connection.name, type) : words.t("'{0}' sent no audio.", connection.name),
		);
	}
	if (data.length > mostBytes) {
		throw new Problem(
			'too-large',
			words.t('The audio is too large to play ({0}). The limit is {1}.', formatMegabytes(data.length), formatMegabytes(mostBytes)),
		);
	}
	return { mimeType: type, data: Buffer.from(data).toString('base64') };
}

/** Transcribes an audio file. If the service refuses the file, rejects with a {@link Problem} that says why. */
export async function transcribeAudio(
	app: AppFeatures,
	file: UploadSource,
	user: string,
	connection: string,
	words: Localization,
): Promise<string> {
	try {
		return await app.transcribeAudio(file, { user });
	} catch (error) {
		const { status, code } = error as { readonly status?: unknown; readonly code?: unknown };
		const message =
			status === 413
				? words.t("'{0}' is too large for '{1}'. Split the recording into shorter files.", file.name, connection)
				: status === 415
					? words.t("'{0}' doesn't support files like '{1}'. Use MP3, MP4, M4A, WAV, WebM or AMR.", connection, file.name)
					: code === 'speech_to_text_disabled'
						? words.t("Speech to text is turned off for the app on '{0}'.", connection)
						: undefined;
		throw message === undefined ? error : new Problem('audio', message, undefined, { cause: error });
	}
}
