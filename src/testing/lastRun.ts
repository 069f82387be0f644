import type { CaseResult } from '../suites/results/caseResult.ts';
import { readResults } from '../suites/results/resultFile.ts';
import type { ResultStore } from './batches/resultStore.ts';

/** The last run of a case, as the kept results have it: by its number and name, newest batch first. */
export async function lastRunOf(
	store: ResultStore,
	suite: string,
	{ ordinal, name }: { readonly ordinal: number; readonly name: string },
): Promise<{ readonly result: CaseResult; readonly connection: string } | undefined> {
	for (const { file, state } of await store.list(suite)) {
		for await (const result of readResults(file)) {
			if (result.ordinal === ordinal && result.name === name && result.run?.id !== undefined) {
				return { result, connection: state.head.connection };
			}
		}
	}
	return undefined;
}
