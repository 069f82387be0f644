import type { ChatContext, EngineFiles, ModelContentPart, ModelMessage } from '../../run/engineTypes.ts';
import { FilesSize } from '../../variables/fileContent.ts';
import { type FileValue, getFileName, isFileValue } from '../../variables/fileValue.ts';
import { NodeError } from '../nodeError.ts';
import type { Memory } from './modelSchemas.ts';

/** Default number of chat turns sent to the model, if the file sets no window. */
const defaultTurns = 50;

/** Returns earlier messages of the chat within the node's memory window. */
export function buildMemoryMessages(memory: Memory, chat: ChatContext | undefined): readonly ModelMessage[] {
	if (!memory || !chat) {
		return [];
	}
	const turns = memory.window?.enabled ? (memory.window.size ?? defaultTurns) : defaultTurns;
	return turns > 0 ? chat.history.slice(-2 * turns).map(({ role, text }) => ({ role, content: text })) : [];
}

/** Adds images to the last user message, or as a new message. */
export function addPictures(messages: readonly ModelMessage[], pictures: readonly ModelContentPart[]): readonly ModelMessage[] {
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

/** Reads the images among a variable's files. @throws {NodeError} if one is missing, or they are too large together */
export async function loadPictures(value: unknown, files: EngineFiles, signal: AbortSignal): Promise<readonly ModelContentPart[]> {
	const found = (Array.isArray(value) ? value : [value]).filter(isFileValue).filter(file => file.type === 'image');
	const size = new FilesSize();
	const pictures: ModelContentPart[] = [];
	for (const file of found) {
		pictures.push(await loadPicture(file, files, size, signal));
	}
	return pictures;
}

async function loadPicture(file: FileValue, files: EngineFiles, size: FilesSize, signal: AbortSignal): Promise<ModelContentPart> {
	if (!file.related_id && file.url) {
		return { type: 'image', url: file.url };
	}
	if (!file.related_id) {
		throw new NodeError(`The image '${getFileName(file)}' has neither a URL nor an uploaded file`, 'FileNotFoundError');
	}
	const bytes = size.add(await files.readUpload(file.related_id, signal));
	return { type: 'image', mediaType: file.mime_type || 'image/png', data: Buffer.from(bytes).toString('base64') };
}
