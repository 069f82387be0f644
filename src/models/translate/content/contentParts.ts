import type { JSONValue, LanguageModelV4FilePart, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { unreadFields } from '../modelCall.ts';
import { camelFields, type Fields, listOf } from './protoJson.ts';

const readFields = new Set(['text', 'inlineData', 'fileData', 'thought', 'thoughtSignature']);

/**
 * Returns the text and the file of a part, which may have both. Keeps empty texts because they can be a whole turn. Throws an error (400)
 * that names the part if it has neither; adds ignored fields to `lost`.
 */
export function textAndFile(part: Fields, at: string, lost: string[]): ({ type: 'text'; text: string } | LanguageModelV4FilePart)[] {
	const code = codeText(part);
	const text = typeof part['text'] === 'string' ? part['text'] : code;
	const file = part['inlineData'] !== undefined || part['fileData'] !== undefined ? [filePart(part, at)] : [];
	if (text === undefined && file.length === 0) {
		const name = Object.keys(part).find(key => key !== 'thoughtSignature');
		throw new ServiceFault(
			400,
			name === undefined ? `${at}: contents.parts must not be empty.` : `${at}.${name}: this part can't be sent to another provider.`,
		);
	}
	if (code === undefined) {
		lost.push(...unreadFields(part, readFields, `${at}.`));
	}
	return [...(text === undefined ? [] : [{ type: 'text' as const, text }]), ...file];
}

/** Converts calls and results of Google's tools in earlier turns to text for other services. */
function codeText(part: Fields): string | undefined {
	const { language, code } = camelFields(part['executableCode']);
	if (code !== undefined) {
		return `\`\`\`${String(language ?? '').toLowerCase()}\n${String(code)}\n\`\`\``;
	}
	const { outcome, output } = camelFields(part['codeExecutionResult']);
	if (outcome !== undefined) {
		return `[${String(outcome)}: ${String(output ?? '')}]`;
	}
	const own = part['toolCall'] ?? part['toolResponse'];
	return own === undefined ? undefined : `[${JSON.stringify(own)}]`;
}

function filePart(part: Fields, at: string): LanguageModelV4FilePart {
	if (part['inlineData'] !== undefined) {
		const { mimeType, data, displayName } = camelFields(part['inlineData']);
		return { type: 'file', mediaType: String(mimeType), data: { type: 'data', data: String(data) }, ...named(displayName) };
	}
	const { mimeType, fileUri, displayName } = camelFields(part['fileData']);
	if (!URL.canParse(String(fileUri))) {
		throw new ServiceFault(400, `${at}.file_data.file_uri isn't a valid URL.`);
	}
	return {
		type: 'file',
		mediaType: String(mimeType ?? 'image/*'),
		data: { type: 'url', url: new URL(String(fileUri)) },
		...named(displayName),
	};
}

function named(displayName: unknown): { filename?: string } {
	return typeof displayName === 'string' ? { filename: displayName } : {};
}

/** Converts a function response: its JSON, and its files (`parts`) if there are any. */
export function responseOutput({ response, parts }: Fields, at: string): LanguageModelV4ToolResultOutput {
	const value = (response ?? {}) as JSONValue;
	const files = listOf(parts).map((part, i) => filePart(camelFields(part), `${at}.parts[${i}]`));
	return files.length === 0
		? { type: 'json', value }
		: { type: 'content', value: [{ type: 'text', text: JSON.stringify(value) }, ...files] };
}
