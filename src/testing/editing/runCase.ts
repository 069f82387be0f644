import { applyEdits, type Edit, modify, type Node, parseTree } from 'jsonc-parser';
import { propertyOf } from '../../textChecks/textFaults.ts';

/** A run that has ended, as a case is made of it. */
export interface PastRun {
	readonly agent: string;
	readonly inputs: Readonly<Record<string, unknown>>;
	readonly query?: string;
	readonly status: string;
	readonly outputs: Readonly<Record<string, unknown>>;
}

/** A case as a suite file has it. */
export interface WrittenCase {
	readonly name: string;
	readonly inputs: Readonly<Record<string, unknown>>;
	readonly query?: string;
	readonly expect: readonly Readonly<Record<string, unknown>>[];
}

/** A run as a case: what came out of it is what is expected from now on. */
export function caseOfRun({ inputs, query, status, outputs }: PastRun, name: string): WrittenCase {
	return {
		name,
		inputs,
		...(query !== undefined && { query }),
		expect: [{ status }, ...Object.entries(outputs).map(([output, equals]) => ({ output, equals }))],
	};
}

/** The text of a new suite with this run as its one case. */
export function newSuiteText(run: PastRun, name: string): string {
	return `${JSON.stringify({ model: run.agent, cases: [caseOfRun(run, name)] }, undefined, '\t')}\n`;
}

/** Names of the cases that stand in a suite. */
export function caseNames(text: string): string[] {
	const cases = propertyOf(parseTree(text), 'cases')?.children ?? [];
	return cases.flatMap(each => propertyOf(each, 'name')?.value ?? []).map(String);
}

/** The agent that a suite is of; `undefined` where it names none. */
export function agentOfSuite(text: string): string | undefined {
	const value: unknown = propertyOf(parseTree(text), 'model')?.value;
	return typeof value === 'string' ? value : undefined;
}

/** The edits that put a case behind those that a suite has: nothing else of it changes, its comments neither. */
export function addingCase(text: string, added: WrittenCase): Edit[] {
	const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '\t';
	const formattingOptions = { insertSpaces: !indent.includes('\t'), tabSize: indent.includes('\t') ? 4 : indent.length, eol: '\n' };
	const cases: Node | undefined = propertyOf(parseTree(text), 'cases');
	return cases?.type === 'array'
		? modify(text, ['cases', cases.children?.length ?? 0], added, { formattingOptions, isArrayInsertion: true })
		: modify(text, ['cases'], [added], { formattingOptions });
}

/** The text once a case was put behind those that it has. */
export function withCase(text: string, added: WrittenCase): string {
	return applyEdits(text, addingCase(text, added));
}

/** A name that no case has yet: the one that is wanted, else with a number. */
export function freeName(wanted: string, taken: readonly string[]): string {
	for (let n = 1; ; n++) {
		const name = n === 1 ? wanted : `${wanted} ${n}`;
		if (!taken.includes(name)) {
			return name;
		}
	}
}
