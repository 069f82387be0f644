import type {
	Annotation,
	AnnotationPage,
	ConversationVariable,
	ConversationVariablePage,
	SuggestedQuestions,
} from '#contract/dify/appFeatures.ts';
import { normalizePage, normalizeTimes } from './readers.ts';

/** Drops annotations without an ID: nothing can be done with them. */
export function readAnnotations(page: AnnotationPage): AnnotationPage {
	return { ...page, data: normalizePage(page).data.filter(hasId).map(readAnnotation) };
}

/** Normalizes the texts of an annotation to strings. */
export function readAnnotation(annotation: Annotation): Annotation {
	const { question, answer, hit_count: hits } = normalizeTimes(annotation);
	return {
		...annotation,
		question: toTextOrNull(question),
		answer: toTextOrNull(answer),
		hit_count: typeof hits === 'number' ? hits : null,
	};
}

/** Drops variables without an ID. */
export function readVariables(page: ConversationVariablePage): ConversationVariablePage {
	return { ...page, data: normalizePage(page).data.filter(hasId).map(readConversationVariable) };
}

/** Normalizes the name and type of a variable to strings. */
export function readConversationVariable(variable: ConversationVariable): ConversationVariable {
	const { name, value_type: type } = normalizeTimes(variable);
	return { ...variable, name: toTextOrNull(name) ?? '', value_type: toTextOrNull(type) ?? '' };
}

/** Returns the suggested questions of a response. @throws {TypeError} if `data` isn't a list */
export function readQuestions({ data }: SuggestedQuestions): string[] {
	if (!Array.isArray(data)) {
		throw new TypeError('no list of questions');
	}
	return data.filter(question => typeof question === 'string');
}

/** Returns the text of a transcription. @throws {TypeError} if there is no text */
export function readText({ text }: { readonly text?: unknown }): string {
	if (typeof text !== 'string') {
		throw new TypeError('no text');
	}
	return text;
}

function hasId({ id }: { readonly id: unknown }): boolean {
	return typeof id === 'string' && id !== '';
}

function toTextOrNull(value: unknown): string | null {
	return typeof value === 'string' ? value : value === undefined || value === null ? null : JSON.stringify(value);
}
