import { fileMarkdown, isFileValue } from './fileValue.ts';
import { Float } from './float.ts';
import { pythonJson, pythonRepr, pythonStr } from './pythonText.ts';

/** Formats a value for prompts, URLs and conditions (workflow DSL, "Text form"). */
export function plainText(value: unknown): string {
	if (value === null || value === undefined) {
		return '';
	}
	if (typeof value === 'string') {
		return value;
	}
	if (value instanceof Float) {
		return pythonStr(value);
	}
	if (Array.isArray(value)) {
		return listText(value);
	}
	if (isFileValue(value)) {
		return fileMarkdown(value);
	}
	return typeof value === 'object' ? pythonJson(value) : pythonStr(value);
}

/** Formats strings as JSON, and other items as Python prints them (graphon, variables/segments.py). */
function listText(list: readonly unknown[]): string {
	if (list.length === 0) {
		return '';
	}
	if (list.every(isFileValue)) {
		return list.map(fileMarkdown).join('\n');
	}
	return list.every(item => typeof item === 'string') ? pythonJson(list) : pythonRepr(list);
}

/** Formats a value as Markdown for answers and streamed text (workflow DSL, "Markdown form"). */
export function markdownText(value: unknown): string {
	if (Array.isArray(value)) {
		return value.every(isFileValue) ? value.map(fileMarkdown).join('\n') : value.map(item => `- ${pythonStr(item)}`).join('\n');
	}
	if (typeof value === 'object' && value !== null && !isFileValue(value) && !(value instanceof Float)) {
		return JSON.stringify(value, null, 2);
	}
	return plainText(value);
}
