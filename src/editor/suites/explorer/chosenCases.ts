import type * as vscode from 'vscode';
import { getRowOrdinal, readDatasetCases } from '#suites/datasets/datasetCases.ts';
import type { Suite } from '#suites/suite.ts';
import type { ChosenCase, ItemSubject, SuiteItems } from './suiteItems.ts';

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

/** Resolves to the number of the first selected case, or to `undefined` if the suite has no such case. */
export async function findFirstOrdinal([first]: readonly ItemSubject[], suite: Suite): Promise<number | undefined> {
	switch (first?.kind) {
		case 'case':
		case 'row':
			return [...(await listOrdinals([first], suite))][0];
		case 'page':
			return getRowOrdinal(suite, first.from);
		case 'dataset':
			return getRowOrdinal(suite, 1);
		default:
			return suite.cases[0]?.ordinal ?? (suite.dataset && getRowOrdinal(suite, 1));
	}
}

type Chosen = { readonly kind: 'case'; readonly ordinal: number; readonly name?: string } | { readonly kind: 'dataset' };

function toChosenCase({ ordinal }: ChosenCase): Chosen {
	return { kind: 'case', ordinal };
}

function toChosenDataset({ dataset }: Suite): Chosen[] {
	return dataset ? [{ kind: 'dataset' }] : [];
}

async function listOrdinals(items: readonly (ItemSubject | Chosen)[], suite: Suite): Promise<ReadonlySet<number>> {
	const found = new Set<number>();
	const ordinals = new Map(suite.cases.map(({ name, ordinal }) => [name, ordinal]));
	for (const ordinal of await findRowOrdinals(items, suite)) {
		found.add(ordinal);
	}
	for (const item of items) {
		if (item.kind === 'case') {
			found.add(ordinals.get(item.name ?? '') ?? item.ordinal);
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

/**
 * Finds rows by name, because rows and cases before them may have been added. Of several with one name, prefers the one with the same
 * number.
 */
async function findRowOrdinals(items: readonly (ItemSubject | Chosen)[], suite: Suite): Promise<number[]> {
	const rows = items.filter(item => item.kind === 'row');
	const named = new Map(rows.map(({ name }) => [name, new Set<number>()]));
	if (rows.length > 0) {
		for await (const { name, row } of readDatasetCases(suite)) {
			named.get(name)?.add(row);
		}
	}
	return rows.map(({ name, row, ordinal }) => {
		const same = named.get(name);
		const number = row !== undefined && same?.has(row) ? row : (same?.values().next().value ?? row);
		return number === undefined ? ordinal : getRowOrdinal(suite, number);
	});
}
