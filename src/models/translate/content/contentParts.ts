import type { JSONValue, LanguageModelV4FilePart, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { listUnreadFields } from '../modelCall.ts';
import { type Fields, toCamelCaseFields, toList } from './protoJson.ts';

const readFields = new Set(['text', 'inlineData', 'fileData', 'thought', 'thoughtSignature']);

/**
 * Returns the text and the file of a part, which may have both. Keeps empty texts, because they can be a whole turn. Throws an error (400)
 * that names the part if it has neither. Adds ignored fields to `lost`.
 */
export function readTextAndFile(part: Fields, at: string, lost: string[]): ({ type: 'text'; text: string } | LanguageModelV4FilePart)[] {
	const code = formatCode(part);
	const text = typeof part['text'] === 'string' ? part['text'] : code;
	const file = part['inlineData'] !== undefined || part['fileData'] !== undefined ? [readFile(part, at)] : [];
	if (text === undefined && file.length === 0) {
		const name = Object.keys(part).find(key => key !== 'thoughtSignature');
		throw new ServiceFault(
			400,
			name === undefined ? `${at}: contents.parts must not be empty.` : `${at}.${name}: this part can't be sent to another provider.`,
		);
	}
	if (code === undefined) {
		lost.push(...listUnreadFields(part, readFields, `${at}.`));
	}
	return [...(text === undefined ? [] : [{ type: 'text' as const, text }]), ...file];
}

/** Converts calls of Google's tools and their results in earlier turns to text for other services. */
function formatCode(part: Fields): string | undefined {
	const { language, code } = toCamelCaseFields(part['executableCode']);
	if (code !== undefined) {
		return `\`\`\`${String(language ?? '').toLowerCase()}\n${String(code)}\n\`\`\``;
	}
	const { outcome, output } = toCamelCaseFields(part['codeExecutionResult']);
	if (outcome !== undefined) {
		return `[${String(outcome)}: ${String(output ?? '')}]`;
	}
	const own = part['toolCall'] ?? part['toolResponse'];
	return own === undefined ? undefined : `[${JSON.stringify(own)}]`;
}

function readFile(part: Fields, at: string): LanguageModelV4FilePart {
	if (part['inlineData'] !== undefined) {
		const { mimeType, data, displayName } = toCamelCaseFields(part['inlineData']);
		return { type: 'file', mediaType: String(mimeType), data: { type: 'data', data: String(data) }, ...createFileName(displayName) };
	}
	const { mimeType, fileUri, displayName } = toCamelCaseFields(part['fileData']);
	if (!URL.canParse(String(fileUri))) {
		throw new ServiceFault(400, `${at}.file_data.file_uri isn't a valid URL.`);
	}
	return {
		type: 'file',
		mediaType: String(mimeType ?? 'image/*'),
		data: { type: 'url', url: new URL(String(fileUri)) },
		...createFileName(displayName),
	};
}

function createFileName(displayName: unknown): { filename?: string } {
	return typeof displayName === 'string' ? { filename: displayName } : {};
}

/** Converts a function response to its JSON, followed by its files (`parts`) if it has any. */
export function readResponseOutput({ response, parts }: Fields, at: string): LanguageModelV4ToolResultOutput {
	const value = (response ?? {}) as JSONValue;
	const files = toList(parts).map((part, i) => readFile(toCamelCaseFields(part), `${at}.parts[${i}]`));
	return files.length === 0
		? { type: 'json', value }
		: { type: 'content', value: [{ type: 'text', text: JSON.stringify(value) }, ...files] };
}
