import { formatFileMarkdown, isFileValue } from './fileValue.ts';
import { Float } from './float.ts';
import { toPythonJson, toPythonRepr, toPythonStr } from './pythonText.ts';

/** Formats a value for prompts, URLs and conditions (workflow DSL, "Text form"). */
export function toPlainText(value: unknown): string {
	if (value === null || value === undefined) {
		return '';
	}
	if (typeof value === 'string') {
		return value;
	}
	if (value instanceof Float) {
		return toPythonStr(value);
	}
	if (Array.isArray(value)) {
		return formatList(value);
	}
	if (isFileValue(value)) {
		return formatFileMarkdown(value);
	}
	return typeof value === 'object' ? toPythonJson(value) : toPythonStr(value);
}

/** Formats strings as JSON, and other items as Python prints them (graphon, variables/segments.py). */
function formatList(list: readonly unknown[]): string {
	if (list.length === 0) {
		return '';
	}
	if (list.every(isFileValue)) {
		return list.map(formatFileMarkdown).join('\n');
	}
	return list.every(item => typeof item === 'string') ? toPythonJson(list) : toPythonRepr(list);
}

/** Formats a value as Markdown for answers and streamed text (workflow DSL, "Markdown form"). */
export function toMarkdownText(value: unknown): string {
	if (Array.isArray(value)) {
		return value.every(isFileValue) ? value.map(formatFileMarkdown).join('\n') : value.map(item => `- ${toPythonStr(item)}`).join('\n');
	}
	if (typeof value === 'object' && value !== null && !isFileValue(value) && !(value instanceof Float)) {
		return JSON.stringify(value, null, 2);
	}
	return toPlainText(value);
}
