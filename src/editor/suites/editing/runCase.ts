import { applyEdits, createScanner, type Edit, getNodeValue, modify, type Node, parseTree } from 'jsonc-parser';
import { isDeepEqual } from '#base/records/plainValues.ts';
import { cutText } from '#base/text/cutText.ts';
import { findProperty } from '#base/text/textFaults.ts';

/** `SyntaxKind.CommaToken` is a const enum of the library, which can't be used when each file is compiled separately. */
const comma = 5;

/** Maximum length of a proposed name. */
const longestName = 60;

/** A finished run that a test case can be created from. */
export interface PastRun {
	readonly agent: string;
	readonly inputs: Readonly<Record<string, unknown>>;
	/** Placeholders in the inputs that replace secrets. */
	readonly secretPlaces?: ReadonlySet<string>;
	readonly query?: string;
	readonly status: string;
	readonly outputs: Readonly<Record<string, unknown>>;
}

/** The fields of a case in the form that suite files contain. */
interface CaseFields {
	readonly inputs?: Readonly<Record<string, unknown>>;
	readonly query?: string;
	readonly expect: readonly Readonly<Record<string, unknown>>[];
}

type WrittenCase = CaseFields & { readonly name: string };

/** Target of a suite's cases: an agent, or a request to a model. */
type WrittenTarget = { readonly model: string } | { readonly chat: Readonly<Record<string, unknown>> & { readonly model: string } };

/** A case to add to a suite of its target. `name` is the text that its name is made from. */
export interface NewCase {
	readonly name: string;
	readonly target: WrittenTarget;
	readonly fields: CaseFields;
}

export function isNewCase(value: unknown): value is NewCase {
	return typeof value === 'object' && value !== null && 'target' in value && 'fields' in value;
}

/** Converts a run to a case that expects the same status and outputs. */
export function createCaseFromRun({ agent, inputs, query, status, outputs }: PastRun): NewCase {
	const [first] = Object.values(inputs).filter(value => typeof value === 'string' && value !== '') as string[];
	return {
		name: query ?? first ?? agent,
		target: { model: agent },
		fields: {
			inputs,
			...(query !== undefined && { query }),
			expect: [{ status }, ...Object.entries(outputs).map(([output, equals]) => ({ output, equals }))],
		},
	};
}

/** Returns the proposed name of a case: the start of its text, or its target. */
export function proposeCaseName({ name, target }: NewCase): string {
	return cutText((name || getTargetName(target)).replaceAll(/\s+/g, ' ').trim(), longestName);
}

/** Returns the agent or model of a target. */
export function getTargetName(target: WrittenTarget): string {
	return 'chat' in target ? target.chat.model : target.model;
}

/** Returns the text of a new suite with one case. */
export function createSuiteText({ target, fields }: NewCase, name: string): string {
	return `${JSON.stringify({ ...target, cases: [{ name, ...fields }] }, undefined, '\t')}\n`;
}

/** Returns the names of a suite's cases. */
export function readCaseNames(text: string): string[] {
	const cases = findProperty(parseTree(text), 'cases')?.children ?? [];
	return cases.flatMap(each => findProperty(each, 'name')?.value ?? []).map(String);
}

/** True if the cases of a suite run the same agent or request. */
export function hasTarget(text: string, target: WrittenTarget): boolean {
	const tree = parseTree(text);
	const [name, value] = Object.entries(target)[0] ?? [''];
	const found = findProperty(tree, name);
	return found !== undefined && isDeepEqual(getNodeValue(found), value);
}

/** Returns the edits that append a case. Keeps comments and layout, while the JSON library would reformat the text around the insertion. */
export function createCaseEdits(text: string, added: WrittenCase): Edit[] {
	const unit = /^([ \t]+)"/m.exec(text)?.[1] ?? '\t';
	const cases: Node | undefined = findProperty(parseTree(text), 'cases');
	const last = cases?.children?.at(-1);
	if (cases?.type !== 'array' || !last) {
		const formattingOptions = { insertSpaces: !unit.includes('\t'), tabSize: unit.includes('\t') ? 4 : unit.length, eol: '\n' };
		return modify(text, ['cases'], [added], { formattingOptions });
	}
	const lastEnd = last.offset + last.length;
	const bracket = cases.offset + cases.length - 1;
	// comments after the last case stay with it
	const between = text.slice(lastEnd, bracket);
	const end = lastEnd + between.trimEnd().length;
	const outer = getIndent(text, cases.offset);
	const inner = isFirstOnLine(text, last.offset) ? getIndent(text, last.offset) : outer + unit;
	const written = JSON.stringify(added, undefined, unit).replaceAll('\n', `\n${inner}`);
	const hasComma = createScanner(between, true).scan() === comma;
	const isOneLine = !between.includes('\n');
	const content = `\n${inner}${written}${isOneLine ? `\n${outer}` : ''}`;
	return hasComma || end === lastEnd
		? [{ offset: end, length: 0, content: hasComma ? content : `,${content}` }]
		: [
				{ offset: lastEnd, length: 0, content: ',' },
				{ offset: end, length: 0, content },
			];
}

function getIndent(text: string, offset: number): string {
	return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? '';
}

function isFirstOnLine(text: string, offset: number): boolean {
	return text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).trim() === '';
}

/** Returns the text of the suite with a case appended. */
export function appendCase(text: string, added: WrittenCase): string {
	return applyEdits(text, createCaseEdits(text, added));
}

/** Returns a unique name for a case: the preferred name, with a number appended if necessary. */
export function getUniqueCaseName(wanted: string, taken: readonly string[]): string {
	for (let n = 1; ; n++) {
		const name = n === 1 ? wanted : `${wanted} ${n}`;
		if (!taken.includes(name)) {
			return name;
		}
	}
}
