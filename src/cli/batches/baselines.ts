import path from 'node:path';
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
		let heads = 0;
		let part: ReportFile | undefined;
		try {
			for await (const text of readLines(file)) {
				const line = text.replace(/^\uFEFF/, '');
				const suite = parseSuitePath(line);
				if (suite !== undefined) {
					await part?.close();
					// a suite can occur twice, for example in results that were appended, and then its last results count
					const name = folder.getTemporaryPath(`${option}-${process.pid}-${heads++}.jsonl`);
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

	/** Returns the earlier results of a suite, if any. A suite from another machine is found by its file name. */
	async findBaseline(suite: Suite): Promise<Baseline | undefined> {
		const found = this.findResultFile(suite);
		return found === undefined ? undefined : Baseline.readResultFile(found);
	}

	/** Like {@link findBaseline}, for their file. */
	findResultFile({ file }: Suite): string | undefined {
		const named = [...this.#files].filter(([suite]) => path.basename(suite.replaceAll('\\', '/')) === path.basename(file));
		return this.#files.get(file) ?? (named.length === 1 ? named[0]![1] : undefined);
	}
}

/** Returns the path of the suite in a head line, or `undefined` for other lines. */
function parseSuitePath(line: string): string | undefined {
	const suite = line.startsWith('{"head":') ? getField(getField(tryParseJson(line), 'head'), 'suite') : undefined;
	return typeof suite === 'string' ? suite : undefined;
}
