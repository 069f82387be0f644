// Values that VS Code's language model API passes to and accepts from extensions.

import { createFieldsClass } from './fields.ts';

export class LanguageModelTextPart extends createFieldsClass<{ readonly value: string }>('value') {}

export class LanguageModelToolCallPart extends createFieldsClass<{
	readonly callId: string;
	readonly name: string;
	readonly input: object;
}>('callId', 'name', 'input') {}

export class LanguageModelToolResultPart extends createFieldsClass<{ readonly callId: string; readonly content: unknown[] }>(
	'callId',
	'content',
) {}

export class LanguageModelPromptTsxPart extends createFieldsClass<{ readonly value: unknown }>('value') {}

export class LanguageModelDataPart extends createFieldsClass<{ readonly data: Uint8Array; readonly mimeType: string }>('data', 'mimeType') {
	static json(value: unknown, mimeType = 'text/x-json'): LanguageModelDataPart {
		return new LanguageModelDataPart(new TextEncoder().encode(JSON.stringify(value)), mimeType);
	}
}

export class LanguageModelThinkingPart extends createFieldsClass<{ readonly value: string }>('value') {}

export class LanguageModelToolResult extends createFieldsClass<{ readonly content: unknown[] }>('content') {}

/** Error of a language model. Callers check its code. */
export class LanguageModelError extends Error {
	readonly code: string;

	constructor(code: string, message: string) {
		super(message);
		this.code = code;
	}
	static NoPermissions(message: string): LanguageModelError {
		return new LanguageModelError('NoPermissions', message);
	}
	static Blocked(message: string): LanguageModelError {
		return new LanguageModelError('Blocked', message);
	}
	static NotFound(message: string): LanguageModelError {
		return new LanguageModelError('NotFound', message);
	}
}

/** Plain objects, because Node can't run enums. */
export const roles = { User: 1, Assistant: 2 };
export const toolModes = { Auto: 1, Required: 2 };
