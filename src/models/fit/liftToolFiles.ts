import type {
	LanguageModelV4FilePart,
	LanguageModelV4Message,
	LanguageModelV4Prompt,
	LanguageModelV4TextPart,
	LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';

type Lifted = LanguageModelV4TextPart | LanguageModelV4FilePart;

/**
 * Moves files from tool results into the following user message, each after a line that names its source. In OpenAI's protocol, and in
 * Gemini before version 3, tool results can only contain text.
 */
export function liftToolFiles(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
	const lifted: LanguageModelV4Prompt = [];
	/** Files to insert after the current tool results. */
	let files: Lifted[] = [];
	const flushFiles = (message?: LanguageModelV4Message) => {
		if (files.length > 0 && message?.role === 'user') {
			lifted.push({ ...message, content: [...files, ...message.content] });
		} else {
			lifted.push(...(files.length > 0 ? [{ role: 'user' as const, content: files }] : []), ...(message ? [message] : []));
		}
		files = [];
	};
	for (const message of prompt) {
		if (message.role !== 'tool') {
			flushFiles(message);
			continue;
		}
		const content = message.content.map(part => {
			if (part.type !== 'tool-result') {
				return part;
			}
			const { output, found } = separateFiles(part);
			files.push(...found);
			return { ...part, output };
		});
		lifted.push({ ...message, content });
	}
	flushFiles();
	return lifted;
}

/** Marks a tool result with several parts as failed, because its output has no field for that. */
export const failedResult = { gateway: { failed: true } } as const;

function separateFiles(part: LanguageModelV4ToolResultPart): { output: LanguageModelV4ToolResultPart['output']; found: Lifted[] } {
	const { output, toolName, toolCallId } = part;
	if (output.type !== 'content') {
		return { output, found: [] };
	}
	const texts: string[] = [];
	const found: Lifted[] = [];
	for (const piece of output.value) {
		if (piece.type === 'text') {
			texts.push(piece.text);
		} else if (piece.type === 'file') {
			const { data, mediaType, filename } = piece;
			found.push({ type: 'file', data, mediaType, ...(filename !== undefined && { filename }) });
		}
	}
	if (found.length > 0) {
		texts.push(found.length === 1 ? '(Its file follows in the next message.)' : `(Its ${found.length} files follow in the next message.)`);
		found.unshift({ type: 'text', text: `From the tool ${toolName} (call ${toolCallId}):` });
	}
	const failed = part.providerOptions?.['gateway']?.['failed'] === true;
	return { output: { type: failed ? 'error-text' : 'text', value: texts.join('\n') }, found };
}
