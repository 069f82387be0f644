import type { ChatContext, EngineFiles, ModelContentPart, ModelMessage } from '../../run/engineTypes.ts';
import { type FileValue, isFileValue } from '../../variables/fileValue.ts';
import { NodeError } from '../nodeType.ts';
import type { Memory } from './modelSchemas.ts';

/** Turns of a chat that go to the model where the file sets no window. */
const defaultTurns = 50;

/** Earlier messages of the chat, as far as the node's memory reaches. */
export function remembered(memory: Memory, chat: ChatContext | undefined): readonly ModelMessage[] {
	if (!memory || !chat) {
		return [];
	}
	const turns = memory.window?.enabled ? (memory.window.size ?? defaultTurns) : defaultTurns;
	return turns > 0 ? chat.history.slice(-2 * turns).map(({ role, text }) => ({ role, content: text })) : [];
}

/** Adds pictures to the last message of the user, or as one of their own. */
export function withPictures(messages: readonly ModelMessage[], pictures: readonly ModelContentPart[]): readonly ModelMessage[] {
	if (pictures.length === 0) {
		return messages;
	}
	const last = messages.findLastIndex(message => message.role === 'user');
	if (last < 0) {
		return [...messages, { role: 'user', content: pictures }];
	}
	return messages.map((message, index) =>
		index === last
			? {
					...message,
					content: [
						...pictures,
						...(typeof message.content === 'string' ? [{ type: 'text', text: message.content } as const] : message.content),
					],
				}
			: message,
	);
}

/** Reads the pictures among a variable's files. @throws {NodeError} if one is not there */
export async function pictures(value: unknown, files: EngineFiles, signal: AbortSignal): Promise<readonly ModelContentPart[]> {
	const found = (Array.isArray(value) ? value : [value]).filter(isFileValue).filter(file => file.type === 'image');
	return Promise.all(found.map(file => picture(file, files, signal)));
}

async function picture(file: FileValue, files: EngineFiles, signal: AbortSignal): Promise<ModelContentPart> {
	if (!file.related_id && file.url) {
		return { type: 'image', url: file.url };
	}
	if (!file.related_id) {
		throw new NodeError(`The picture ${file.filename} has neither an address nor an upload`, 'FileNotFoundError');
	}
	const bytes = await files.read(file.related_id, signal);
	return { type: 'image', mediaType: file.mime_type || 'image/png', data: Buffer.from(bytes).toString('base64') };
}
