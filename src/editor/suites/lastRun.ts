import type { CaseResult } from '#suites/results/caseResult.ts';
import { readResultLines } from '#suites/results/resultFile.ts';
import type { ResultStore } from './batches/resultStore.ts';

/** Finds the last run of a case in the stored results, by its name, and the number of a row. Searches the newest batch first. */
export async function findLastRun(
	store: ResultStore,
	suite: string,
	wanted: { readonly name: string; readonly row?: number },
): Promise<{ readonly result: CaseResult; readonly connection: string } | undefined> {
	const own = `"name":${JSON.stringify(wanted.name)},`;
	for (const file of await store.listFiles(suite)) {
		let connection = '';
		for await (const line of readResultLines(file, text => text.startsWith('{"head"') || text.includes(own))) {
			if ('head' in line) {
				connection = line.head.connection;
			} else if ('result' in line && isRunOfCase(line.result, wanted)) {
				return { result: line.result, connection };
			}
		}
	}
	return undefined;
}

function isRunOfCase({ name, row, variant, run }: CaseResult, wanted: { readonly name: string; readonly row?: number }): boolean {
	return name === wanted.name && row === wanted.row && variant === undefined && run?.id !== undefined;
}
