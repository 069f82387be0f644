import type {
	Annotation,
	AnnotationPage,
	ConversationVariable,
	ConversationVariablePage,
	SuggestedQuestions,
} from '#contract/dify/appFeatures.ts';
import { normaliseTimes, readPage } from './readers.ts';

/** A page of annotations; what has no ID is left out, for nothing can be done with it. */
export function readAnnotations(page: AnnotationPage): AnnotationPage {
	return { ...page, data: readPage(page).data.filter(isNamed).map(readAnnotation) };
}

/** An annotation whose texts are texts, whatever its service sent. */
export function readAnnotation(annotation: Annotation): Annotation {
	const { question, answer, hit_count: hits } = normaliseTimes(annotation);
	return { ...annotation, question: textOf(question), answer: textOf(answer), hit_count: typeof hits === 'number' ? hits : null };
}

/** A page of variables, likewise. */
export function readVariables(page: ConversationVariablePage): ConversationVariablePage {
	return { ...page, data: readPage(page).data.filter(isNamed).map(readConversationVariable) };
}

/** A variable whose name and type are texts. */
export function readConversationVariable(variable: ConversationVariable): ConversationVariable {
	const { name, value_type: type } = normaliseTimes(variable);
	return { ...variable, name: textOf(name) ?? '', value_type: textOf(type) ?? '' };
}

/** @throws {TypeError} for what is no list */
export function readQuestions({ data }: SuggestedQuestions): string[] {
	if (!Array.isArray(data)) {
		throw new TypeError('no list of questions');
	}
	return data.filter(question => typeof question === 'string');
}

/** @throws {TypeError} for what has no text */
export function readText({ text }: { readonly text?: unknown }): string {
	if (typeof text !== 'string') {
		throw new TypeError('no text');
	}
	return text;
}

function isNamed({ id }: { readonly id: unknown }): boolean {
	return typeof id === 'string' && id !== '';
}

function textOf(value: unknown): string | null {
	return typeof value === 'string' ? value : value === undefined || value === null ? null : JSON.stringify(value);
}
