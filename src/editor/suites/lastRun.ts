import type { CaseResult } from '#suites/results/caseResult.ts';
import { readCaseLines } from '#suites/results/resultFile.ts';
import type { ResultStore } from './batches/resultStore.ts';

/** Finds the last run of a case in the stored results, by the case's number and name. Searches the newest batch first. */
export async function findLastRun(
	store: ResultStore,
	suite: string,
	{ ordinal, name }: { readonly ordinal: number; readonly name: string },
): Promise<{ readonly result: CaseResult; readonly connection: string } | undefined> {
	for (const file of await store.listFiles(suite)) {
		let connection = '';
		for await (const line of readCaseLines(file, ordinal)) {
			if ('head' in line) {
				connection = line.head.connection;
			} else if ('result' in line && isRunOfCase(line.result, ordinal, name)) {
				return { result: line.result, connection };
			}
		}
	}
	return undefined;
}

function isRunOfCase(result: CaseResult, ordinal: number, name: string): boolean {
	return result.ordinal === ordinal && result.name === name && result.run?.id !== undefined;
}
