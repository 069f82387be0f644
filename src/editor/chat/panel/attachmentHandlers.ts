import * as vscode from 'vscode';
import type { Mention } from '#pages/chat/panel/panelProtocol.ts';
import { getActivePath } from '#pages/chat/transcript/turnTree.ts';
import { createFileAttachment } from '../attachments/attachments.ts';
import { attachUris, openFileAtLines, pickFiles } from '../attachments/fileAttachments.ts';
import { fetchFile } from '../attachments/webFile.ts';
import { applyCode, createFileWithCode, insertCode } from '../code/codeActions.ts';
import type { Chat } from '../transcripts/chat.ts';
import type { HandlerParts, MessageHandlers, MessageOf } from './messageHandlers.ts';
import { openMentionedFile } from './openPath.ts';

type AttachmentMessage =
	| ('attachFiles' | 'attachUris' | 'attachData' | 'attachContext' | 'detach' | 'mentions')
	| ('copy' | 'code' | 'loadImage' | 'openPath' | 'openFile');

/** Creates the handlers of messages about attachments, and about files and code in replies. */
export function createAttachmentHandlers(parts: HandlerParts): MessageHandlers<AttachmentMessage> {
	const { documents, context, slashCommands } = parts;
	return {
		attachFiles: panel => panel.returnFocus(pickFiles(panel.chat, context)),
		attachUris: ({ chat }, { uris }) =>
			attachUris(
				chat,
				context,
				uris.map(uri => vscode.Uri.parse(uri)),
			),
		attachData: async ({ chat }, { name, data }) => {
			const attachment = await createFileAttachment(vscode.l10n, documents, name, Buffer.from(data, 'base64'));
			chat.updateFields({ attachments: [...chat.transcript.attachments, attachment] });
		},
		detach: ({ chat }, message) => chat.updateFields({ attachments: chat.transcript.attachments.filter(({ id }) => id !== message.id) }),
		attachContext: ({ chat }, { source }) => context.attach(chat, source),
		mentions: async (panel, { trigger, query }) => {
			let items: readonly Mention[] = [];
			try {
				items = await (trigger === '/' ? slashCommands : context).listMentions(query);
			} finally {
				// the page may be waiting with a message
				panel.post({ type: 'mentions', trigger, query, items });
			}
		},
		copy: (_panel, { text }) => vscode.env.clipboard.writeText(text),
		code: ({ chat }, message) => placeCode(parts, chat, message),
		loadImage: async (panel, { url }) => panel.post({ type: 'image', url, ...(await fetchImageAsDataUrl(url)) }),
		openPath: (_panel, { path }) => openMentionedFile(path),
		openFile: (_panel, { uri, lines }) => openFileAtLines(vscode.Uri.parse(uri), lines),
	};
}

function placeCode({ editors, proposals }: HandlerParts, chat: Chat, { action, language, text }: MessageOf<'code'>): Promise<void> {
	switch (action) {
		case 'insert':
			return insertCode(editors, text);
		case 'newFile':
			return createFileWithCode(text, language);
		case 'apply':
			return applyCode(editors, proposals, text, listAttachedFiles(chat));
	}
}

/** Returns the URIs of the files that were attached to the shown messages, newest first. */
function listAttachedFiles({ transcript }: Chat): string[] {
	const parts = getActivePath(transcript).flatMap(turn => turn.parts);
	return [...new Set(parts.reverse().flatMap(part => (part.kind === 'file' && part.uri ? [part.uri] : [])))];
}

/** Maximum size of a remote image, in bytes. */
const imageByteLimit = 5 * 1024 * 1024;

/** Fetches an image that the user clicked and returns it as a data URL, because the page has no network access. */
async function fetchImageAsDataUrl(address: string): Promise<{ data: string } | { problem: string }> {
	const fetched = await fetchFile(address, { bytes: imageByteLimit, images: true }, vscode.l10n);
	return 'problem' in fetched ? fetched : { data: `data:${fetched.type};base64,${fetched.data.toString('base64')}` };
}
