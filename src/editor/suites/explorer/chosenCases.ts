import type * as vscode from 'vscode';
import { getRowOrdinal, readDatasetCases } from '#suites/datasets/datasetCases.ts';
import type { Suite } from '#suites/suite.ts';
import type { ItemSubject, SuiteItems } from './suiteItems.ts';

/** The cases of one suite that a test run includes. */
export interface RequestedSuite {
	readonly uri: vscode.Uri;
	/** If empty, the complete suite. */
	readonly items: readonly ItemSubject[];
	/** Excluded items. */
	readonly excluded: readonly ItemSubject[];
}

/** Groups the items of a test run request by suite. */
export function groupBySuite(
	{ include, exclude = [] }: Pick<vscode.TestRunRequest, 'include' | 'exclude'>,
	items: Pick<SuiteItems, 'getItemSubject'>,
	all: readonly vscode.TestItem[],
): RequestedSuite[] {
	const getItemSubjects = (some: readonly vscode.TestItem[]) => some.flatMap(item => items.getItemSubject(item) ?? []);
	const asked = Map.groupBy(getItemSubjects(include ?? all), ({ uri }) => uri.toString());
	const left = Map.groupBy(getItemSubjects(exclude), ({ uri }) => uri.toString());
	return [...asked].flatMap(([key, some]) => {
		const excluded = left.get(key) ?? [];
		return excluded.some(({ kind }) => kind === 'suite')
			? []
			: [{ uri: some[0]!.uri, items: some.some(({ kind }) => kind === 'suite') ? [] : some, excluded }];
	});
}

/**
 * Returns the numbers of the requested cases, or `undefined` for all cases of the suite. Reads the dataset if some of its rows are
 * included.
 */
export async function resolveOrdinals({ items, excluded }: RequestedSuite, suite: Suite): Promise<ReadonlySet<number> | undefined> {
	if (items.length === 0 && excluded.length === 0) {
		return undefined;
	}
	const chosen = new Set<number>(
		items.length === 0
			? await listOrdinals([...suite.cases.map(toChosenCase), ...toChosenDataset(suite)], suite)
			: await listOrdinals(items, suite),
	);
	for (const ordinal of await listOrdinals(excluded, suite)) {
		chosen.delete(ordinal);
	}
	return chosen;
}

/** Returns the number of the first selected case, or `undefined` if the suite has no such case. */
export function findFirstOrdinal([first]: readonly ItemSubject[], suite: Suite): number | undefined {
	switch (first?.kind) {
		case 'case':
		case 'row':
			return first.ordinal;
		case 'page':
			return getRowOrdinal(suite, first.from);
		case 'dataset':
			return getRowOrdinal(suite, 1);
		default:
			return suite.cases[0]?.ordinal ?? (suite.dataset && getRowOrdinal(suite, 1));
	}
}

type Chosen = { readonly kind: 'case'; readonly ordinal: number } | { readonly kind: 'dataset' };

function toChosenCase({ ordinal }: { readonly ordinal: number }): Chosen {
	return { kind: 'case', ordinal };
}

function toChosenDataset({ dataset }: Suite): Chosen[] {
	return dataset ? [{ kind: 'dataset' }] : [];
}

async function listOrdinals(items: readonly (ItemSubject | Chosen)[], suite: Suite): Promise<ReadonlySet<number>> {
	const found = new Set<number>();
	for (const item of items) {
		if (item.kind === 'case' || item.kind === 'row') {
			found.add(item.ordinal);
		} else if (item.kind === 'dataset' || item.kind === 'page') {
			const [from, to] = item.kind === 'page' ? [item.from, item.to] : [1, Number.POSITIVE_INFINITY];
			for await (const { row, ordinal } of readDatasetCases(suite, from)) {
				if (row > to) {
					break;
				}
				found.add(ordinal);
			}
		}
	}
	return found;
}
