import { applyEdits, createScanner, type Edit, modify, type Node, parseTree } from 'jsonc-parser';
import { propertyOf } from '#base/text/textFaults.ts';

/** `SyntaxKind.CommaToken`, which the library has as a constant that no single file can read. */
const comma = 5;

/** A run that has ended, as a case is made of it. */
export interface PastRun {
	readonly agent: string;
	readonly inputs: Readonly<Record<string, unknown>>;
	/** Placeholders in the inputs that stand for secrets. */
	readonly secretPlaces?: ReadonlySet<string>;
	readonly query?: string;
	readonly status: string;
	readonly outputs: Readonly<Record<string, unknown>>;
}

/** A case as a suite file has it. */
interface WrittenCase {
	readonly name: string;
	readonly inputs: Readonly<Record<string, unknown>>;
	readonly query?: string;
	readonly expect: readonly Readonly<Record<string, unknown>>[];
}

/** A run as a case: what came out of it is what is expected from now on. */
export function createCaseFromRun({ inputs, query, status, outputs }: PastRun, name: string): WrittenCase {
	return {
		name,
		inputs,
		...(query !== undefined && { query }),
		expect: [{ status }, ...Object.entries(outputs).map(([output, equals]) => ({ output, equals }))],
	};
}

/** The text of a new suite with this run as its one case. */
export function createSuiteText(run: PastRun, name: string): string {
	return `${JSON.stringify({ model: run.agent, cases: [createCaseFromRun(run, name)] }, undefined, '\t')}\n`;
}

/** Names of the cases that stand in a suite. */
export function readCaseNames(text: string): string[] {
	const cases = propertyOf(parseTree(text), 'cases')?.children ?? [];
	return cases.flatMap(each => propertyOf(each, 'name')?.value ?? []).map(String);
}

/** The agent that a suite is of; `undefined` where it names none. */
export function readSuiteAgent(text: string): string | undefined {
	const value: unknown = propertyOf(parseTree(text), 'model')?.value;
	return typeof value === 'string' ? value : undefined;
}

/**
 * The edits that put a case behind those that a suite has: nothing else of it changes, neither its comments nor how it is laid out, which the JSON library
 * would do anew for the neighbour.
 */
export function createCaseEdits(text: string, added: WrittenCase): Edit[] {
	const unit = /^([ \t]+)"/m.exec(text)?.[1] ?? '\t';
	const cases: Node | undefined = propertyOf(parseTree(text), 'cases');
	const last = cases?.children?.at(-1);
	if (cases?.type !== 'array' || !last) {
		const formattingOptions = { insertSpaces: !unit.includes('\t'), tabSize: unit.includes('\t') ? 4 : unit.length, eol: '\n' };
		return modify(text, ['cases'], [added], { formattingOptions });
	}
	const lastEnd = last.offset + last.length;
	const bracket = cases.offset + cases.length - 1;
	// comments behind the last case stay with it
	const between = text.slice(lastEnd, bracket);
	const end = lastEnd + between.trimEnd().length;
	const outer = getIndent(text, cases.offset);
	const inner = isFirstOfLine(text, last.offset) ? getIndent(text, last.offset) : outer + unit;
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

function isFirstOfLine(text: string, offset: number): boolean {
	return text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).trim() === '';
}

/** The text once a case was put behind those that it has. */
export function appendCase(text: string, added: WrittenCase): string {
	return applyEdits(text, createCaseEdits(text, added));
}

/** A name that no case has yet: the one that is wanted, else with a number. */
export function getUniqueCaseName(wanted: string, taken: readonly string[]): string {
	for (let n = 1; ; n++) {
		const name = n === 1 ? wanted : `${wanted} ${n}`;
		if (!taken.includes(name)) {
			return name;
		}
	}
}
