import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { isInsideFolder } from '#base/files/fileScope.ts';
import { readLines } from '#base/files/readLines.ts';
import { getField } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { Baseline } from '#suites/results/comparison.ts';
import type { Suite } from '#suites/suite.ts';
import { CliFault } from '../cliFault.ts';
import { ReportFile } from '../reports/reportFile.ts';
import type { ResultFolder } from './resultFolder.ts';

/** Earlier results to compare with, as written by `--json`: those of several suites in sequence, each with a head. */
export class Baselines {
	/** Result files by suite path. */
	readonly #files: ReadonlyMap<string, string>;

	private constructor(files: ReadonlyMap<string, string>) {
		this.#files = files;
	}

	/** Rejects with a {@link CliFault}, which names the option, if the file has no results or can't be read. */
	static async readBaselines(option: string, file: string, folder: ResultFolder): Promise<Baselines> {
		const files = new Map<string, string>();
		let part: ReportFile | undefined;
		try {
			for await (const text of readLines(file)) {
				const line = text.replace(/^\uFEFF/, '');
				const suite = parseSuitePath(line);
				if (suite !== undefined) {
					await part?.close();
					const name = folder.getTemporaryPath(`${option}-${randomUUID()}.jsonl`);
					files.set(suite, name);
					part = await ReportFile.openFile(option, name);
				}
				await part?.write(`${line}\n`);
			}
		} catch (error) {
			throw error instanceof CliFault
				? error
				: new CliFault(`--${option} ${file}: couldn't read the file (${(error as NodeJS.ErrnoException).code}).`);
		} finally {
			await part?.close();
		}
		if (files.size === 0) {
			throw new CliFault(`--${option} ${file}: expected results of an earlier run, as written by --json, in UTF-8.`);
		}
		return new Baselines(files);
	}

	/** Returns the earlier results of a suite, if any. A suite from another machine is found by the end of its path. */
	async findBaseline(suite: Suite): Promise<Baseline | undefined> {
		const found = this.findResultFile(suite);
		return found === undefined ? undefined : Baseline.readResultFile(found);
	}

	/** Like {@link findBaseline}, for their file. */
	findResultFile({ file, root }: Pick<Suite, 'file' | 'root'>): string | undefined {
		const known = this.#files.get(file);
		if (known !== undefined) {
			return known;
		}
		const named = [...this.#files]
			// a file of the same project is another suite with the same file name
			.filter(([suite]) => !(isInsideFolder(suite, root) && existsSync(suite)))
			.map(([suite, results]) => ({ results, shared: countSharedNames(suite, file) }))
			.sort((one, other) => other.shared - one.shared);
		const [best, next] = named;
		return best && best.shared > 0 && best.shared !== next?.shared ? best.results : undefined;
	}
}

/** Returns how many names two paths have in common at their ends. */
function countSharedNames(one: string, other: string): number {
	const [names, others] = [one, other].map(file => file.split(/[\\/]/).reverse()) as [string[], string[]];
	const first = names.findIndex((name, at) => name !== others[at]);
	return first < 0 ? names.length : first;
}

/** Returns the path of the suite in a head line, or `undefined` for other lines. */
function parseSuitePath(line: string): string | undefined {
	const suite = line.startsWith('{"head":') ? getField(getField(tryParseJson(line), 'head'), 'suite') : undefined;
	return typeof suite === 'string' ? suite : undefined;
}
