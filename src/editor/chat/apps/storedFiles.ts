import path from 'node:path';
import { Problem } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import type { ServiceClient } from '#client/client.ts';
import type { StoredPart } from '#pages/chat/transcript/transcript.ts';
import { fetchFile, type WebFile } from '../attachments/webFile.ts';
import { findFileAddress } from '../endpoints/messageFile.ts';
import type { ReplyOfApp } from './appOfReply.ts';

/** Maximum sizes in bytes, for a picture stored in a chat and for a saved file. */
const pictureLimit = 8 * 1024 * 1024;
const fileLimit = 200 * 1024 * 1024;

/** Returns the name to save a file as: without the folders in the name that a service sends. */
export function getSaveName(name: string): string {
	return path.posix.basename(name.replaceAll('\\', '/')) || 'file';
}

/** Downloads a file from a service. If `image` is set, accepts only pictures that can be shown. Rejects with a {@link Problem}. */
export async function downloadStoredFile(
	part: StoredPart & { readonly id: string },
	reply: ReplyOfApp,
	client: ServiceClient,
	words: Localization,
	image = false,
): Promise<{ readonly type: string; readonly data: Uint8Array }> {
	const { id, url, name } = part;
	if (url === undefined) {
		return client.app.fetchFile(id, { user: reply.user });
	}
	const fetched = await fetchFileWithRenewal(
		url,
		address => fetchFileAt(address, reply, image, words),
		() => findNewAddress(id, reply, client),
	);
	if ('problem' in fetched) {
		throw new Problem('file', words.t("Couldn't download '{0}'. {1}", name, fetched.problem));
	}
	return fetched;
}

/** Downloads a file. If its URL is refused, gets a new one from the service, because URLs are valid for only a few minutes. */
async function fetchFileWithRenewal(
	url: string,
	fetched: (url: string) => Promise<WebFile>,
	renew: () => Promise<string | undefined>,
): Promise<WebFile> {
	const first = await fetched(url);
	if (!('problem' in first) || first.status === undefined) {
		return first;
	}
	const other = await renew().catch(() => undefined);
	return other === undefined || other === url ? first : fetched(other);
}

function fetchFileAt(url: string, { connection }: ReplyOfApp, image: boolean, words: Localization): Promise<WebFile> {
	const address = URL.canParse(url, connection.baseUrl) ? new URL(url, connection.baseUrl).href : url;
	return fetchFile(address, { bytes: image ? pictureLimit : fileLimit, images: image }, words);
}

/** Finds the current URL of a file in the newest messages of the conversation. */
async function findNewAddress(id: string, { reply, user }: ReplyOfApp, client: ServiceClient): Promise<string | undefined> {
	const { conversationId, model, messageId } = reply;
	if (conversationId === undefined) {
		return undefined;
	}
	const { data } = await client.listChatMessages({ model, user, conversation_id: conversationId, limit: 100 });
	return findFileAddress(data.find(message => message.id === messageId)?.['message_files'], id);
}
