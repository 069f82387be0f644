import { stat } from 'node:fs/promises';
import path from 'node:path';
import { appendJsonLine } from '#base/files/appendLine.ts';
import { hashContent } from '#base/files/contentHash.ts';
import { resolveInside, resolveInsideToWrite } from '#base/files/fileScope.ts';
import { readLines } from '#base/files/readLines.ts';
import { isRecord } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { isTimestamp } from '#base/text/timestamp.ts';
import type { CaseResult, CheckResult } from '../results/caseResult.ts';
import type { Suite } from '../suite.ts';

/** A person's opinion on an output that a judge grades: a line of a label file. */
export interface JudgeLabel {
	/** Name of the case, and its row and variant. They're for readers: a label belongs to its output. */
	readonly case: string;
	readonly row?: number;
	readonly variant?: string;
	/** See {@link hashJudgedOutput}. */
	readonly output: string;
	/** Name of the judge. */
	readonly check: string;
	/** `skip`: the person couldn't decide. */
	readonly label: 'pass' | 'fail' | 'skip';
	/** The output as text, for examples. */
	readonly text?: string;
	readonly note?: string;
	/** Name of the person. */
	readonly by: string;
	/** Time as ISO 8601. */
	readonly at: string;
}

/** Half of the labels. Judges see examples only from `tuning`, so that the other half measures them fairly. */
export type LabelHalf = 'tuning' | 'held-out';

/** Returns the name of a suite's label file: `NAME.suite.labels.jsonl`. */
export function getLabelName(suiteFile: string): string {
	return `${path.basename(suiteFile).replace(/(\.suite)?\.json$/i, '')}.suite.labels.jsonl`;
}

/** Adds a label next to a suite. Rejects if the file can't be written, or is a link to another folder. */
export async function appendLabel({ file, root }: Pick<Suite, 'file' | 'root'>, label: JudgeLabel): Promise<void> {
	await appendJsonLine(resolveInsideToWrite(getLabelName(file), { folder: path.dirname(file), root }), label);
}

/**
 * Hashes an output that a judge graded, with the inputs it belongs to. A label stays valid as long as both are the same: in new runs, with
 * other judges, and for rows that move. Cases are also told apart by name, because they can differ in their message only.
 */
export function hashJudgedOutput({ name, row, inputs }: Pick<CaseResult, 'name' | 'row' | 'inputs'>, { actual }: CheckResult): string {
	const isNamed = row === undefined || Object.keys(inputs).length === 0;
	return hashContent([isNamed ? name : null, inputs, actual ?? null]);
}

/** Returns the half that an output belongs to, which never changes. */
export function getLabelHalf(output: string): LabelHalf {
	return Number.parseInt(output.at(-1)!, 16) % 2 === 0 ? 'tuning' : 'held-out';
}

/** The labels of a suite: the latest one of each person for each output. */
export class JudgeLabels {
	/** Labels by judge, then by output, then by person. */
	readonly #labels = new Map<string, Map<string, Map<string, JudgeLabel>>>();
	/** Identifies the content of the file that they were read from. */
	#stamp: string | undefined;

	constructor(labels: Iterable<JudgeLabel> = []) {
		for (const label of labels) {
			const outputs = this.#labels.get(label.check) ?? new Map<string, Map<string, JudgeLabel>>();
			const people = outputs.get(label.output) ?? new Map<string, JudgeLabel>();
			const earlier = people.get(label.by);
			if (!earlier || Date.parse(label.at) >= Date.parse(earlier.at)) {
				people.set(label.by, label);
			}
			this.#labels.set(label.check, outputs.set(label.output, people));
		}
	}

	/**
	 * Reads the labels next to a suite, in any order of lines; none if there's no file. Rejects if the file can't be read.
	 *
	 * @param known labels that were read before, which are returned if the file hasn't changed since
	 */
	static async readLabels({ file, root }: Pick<Suite, 'file' | 'root'>, known?: JudgeLabels): Promise<JudgeLabels> {
		const labels: JudgeLabel[] = [];
		let stamp: string | undefined;
		try {
			const labelFile = resolveInside(getLabelName(file), { folder: path.dirname(file), root });
			const { ino, size, mtimeMs } = await stat(labelFile);
			stamp = `${ino} ${size} ${mtimeMs}`;
			if (known && known.#stamp === stamp) {
				return known;
			}
			for await (const line of readLines(labelFile)) {
				const label = tryParseJson(line);
				if (isLabel(label)) {
					labels.push(label);
				}
			}
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
				throw error;
			}
		}
		const read = new JudgeLabels(labels);
		read.#stamp = stamp;
		return read;
	}

	/** Names of the judges with labels. */
	get judges(): readonly string[] {
		return [...this.#labels.keys()].sort();
	}

	/** Returns the labels of an output, the latest one first, without those of people who couldn't decide. */
	getLabels(judge: string, output: string): readonly JudgeLabel[] {
		return sortLabels(this.#labels.get(judge)?.get(output)?.values() ?? []);
	}

	/** Returns the latest label that a person gave to an output, also if it's `skip`. */
	getOwnLabel(judge: string, output: string, by: string): JudgeLabel | undefined {
		return this.#labels.get(judge)?.get(output)?.get(by);
	}

	/**
	 * Chooses examples for a judge from its tuning half: outputs that fail and that pass in turn, in an order that depends only on the outputs.
	 */
	chooseExamples(judge: string, count: number): readonly JudgeExample[] {
		const labels = [...(this.#labels.get(judge) ?? [])]
			.filter(([output]) => getLabelHalf(output) === 'tuning')
			.sort(([one], [other]) => (one < other ? -1 : 1))
			.flatMap(([, people]) => sortLabels(people.values()).slice(0, 1))
			.filter((label): label is JudgeLabel & JudgeExample => label.text !== undefined);
		const [failed, passed] = (['fail', 'pass'] as const).map(each => labels.filter(({ label }) => label === each)) as [
			typeof labels,
			typeof labels,
		];
		const examples = Array.from({ length: Math.max(failed.length, passed.length) }, (_, at) => [failed[at], passed[at]]).flat();
		return examples
			.filter(each => each !== undefined)
			.slice(0, count)
			.map(({ label, text, note }) => ({ label, text, ...(note !== undefined && { note }) }));
	}
}

/** An output that a person labeled, as an example for a judge. */
export interface JudgeExample {
	readonly label: 'pass' | 'fail';
	readonly text: string;
	readonly note?: string;
}

function sortLabels(labels: Iterable<JudgeLabel>): readonly JudgeLabel[] {
	return [...labels]
		.filter(({ label }) => label !== 'skip')
		.sort((one, other) => Date.parse(other.at) - Date.parse(one.at) || (one.by < other.by ? -1 : 1));
}

/** Damaged lines, such as those of a failed merge, are skipped. */
function isLabel(value: unknown): value is JudgeLabel {
	return (
		isRecord(value) &&
		['case', 'check', 'by'].every(name => typeof value[name] === 'string') &&
		typeof value['output'] === 'string' &&
		/^[0-9a-f]{64}$/.test(value['output']) &&
		isTimestamp(value['at']) &&
		['pass', 'fail', 'skip'].includes(value['label'] as string) &&
		['text', 'note'].every(name => value[name] === undefined || typeof value[name] === 'string')
	);
}
