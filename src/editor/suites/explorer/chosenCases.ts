import type * as vscode from 'vscode';
import { datasetCases, rowOrdinal } from '#suites/datasets/datasetCases.ts';
import type { Suite } from '#suites/suite.ts';
import type { ItemSubject, SuiteItems } from './suiteItems.ts';

/** Cases of one suite that a run is asked for: all of it, or what these items stand for. */
export interface RequestedSuite {
	readonly uri: vscode.Uri;
	/** Empty: all. */
	readonly items: readonly ItemSubject[];
	/** Those that are left out. */
	readonly excluded: readonly ItemSubject[];
}

/** What a run of the Test Explorer asks for, suite by suite. */
export function groupBySuite(
	{ include, exclude = [] }: Pick<vscode.TestRunRequest, 'include' | 'exclude'>,
	items: Pick<SuiteItems, 'meant'>,
	all: readonly vscode.TestItem[],
): RequestedSuite[] {
	const getSubjects = (some: readonly vscode.TestItem[]) => some.flatMap(item => items.getSubject(item) ?? []);
	const asked = Map.groupBy(getSubjects(include ?? all), ({ uri }) => uri.toString());
	const left = Map.groupBy(getSubjects(exclude), ({ uri }) => uri.toString());
	return [...asked].flatMap(([key, some]) => {
		const without = left.get(key) ?? [];
		return without.some(({ kind }) => kind === 'suite')
			? []
			: [{ uri: some[0]!.uri, items: some.some(({ kind }) => kind === 'suite') ? [] : some, without }];
	});
}

/** The numbers of the cases that are asked for; `undefined`: all of the suite. Reads the dataset where some of its rows are meant. */
export async function resolveOrdinals(
	{ items, excluded: without }: RequestedSuite,
	suite: Suite,
): Promise<ReadonlySet<number> | undefined> {
	if (items.length === 0 && without.length === 0) {
		return undefined;
	}
	const chosen = new Set<number>(
		items.length === 0
			? await listOrdinals([...suite.cases.map(toChosenCase), ...toChosenDataset(suite)], suite)
			: await listOrdinals(items, suite),
	);
	for (const ordinal of await listOrdinals(without, suite)) {
		chosen.delete(ordinal);
	}
	return chosen;
}

/** The number of the first case that is meant, for what takes one alone; `undefined` where the suite has none. */
export function findFirstOrdinal([first]: readonly ItemSubject[], suite: Suite): number | undefined {
	switch (first?.kind) {
		case 'case':
		case 'row':
			return first.ordinal;
		case 'page':
			return rowOrdinal(suite, first.from);
		case 'dataset':
			return rowOrdinal(suite, 1);
		default:
			return suite.cases[0]?.ordinal ?? (suite.dataset && rowOrdinal(suite, 1));
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
			for await (const { row, ordinal } of datasetCases(suite, from)) {
				if (row > to) {
					break;
				}
				found.add(ordinal);
			}
		}
	}
	return found;
}
