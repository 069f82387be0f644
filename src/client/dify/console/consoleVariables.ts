import type { CallOptions } from '../../caller.ts';
import { readAllPages } from '../../pages.ts';
import type { DraftVariable } from '../management.ts';
import type { Surface } from '../offers.ts';
import { readList, toOptionalNumber } from '../readers/fields.ts';
import { readVariable } from '../readers/runReaders.ts';
import type { ConsoleCall, ConsoleCalls } from './consoleCalls.ts';

const draft = '/apps/{app_id}/workflows/draft';
const pageSize = 100;

/** Variable lists of selectors that start with a scope instead of a node. */
const listsOfScopes: Readonly<Record<string, string>> = {
	sys: 'system-variables',
	conversation: 'conversation-variables',
	env: 'environment-variables',
};

/**
 * Creates the operations for the draft's variables of this account. The list of all variables has no values, so they are fetched by node
 * and by scope.
 */
export function createConsoleVariables(calls: ConsoleCalls): Surface {
	const listVariables = (call: Omit<ConsoleCall, 'method'>, options: CallOptions | undefined) =>
		calls.requestJson('draftVariables', { ...call, method: 'GET' }, options, ({ items, total }) => ({
			variables: readList(items).map(readVariable),
			total: toOptionalNumber(total) ?? 0,
		}));
	return {
		async draftVariables(appId, options) {
			const values = { app_id: appId };
			let count = 0;
			const fetchPage = async (page: number) => {
				const { variables, total } = await listVariables({ path: `${draft}/variables`, values, query: { page, limit: pageSize } }, options);
				count += variables.length;
				return { items: variables, next: count < total ? page + 1 : undefined };
			};
			const known = await readAllPages(1, fetchPage, ({ id }) => id);
			const all: DraftVariable[] = [];
			for (const owner of new Set(known.flatMap(({ selector }) => selector.slice(0, 1)))) {
				const scope = Object.hasOwn(listsOfScopes, owner) ? listsOfScopes[owner] : undefined;
				const path = scope === undefined ? `${draft}/nodes/{node_id}/variables` : `${draft}/${scope}`;
				all.push(...(await listVariables({ path, values: { ...values, node_id: owner } }, options)).variables);
			}
			return all;
		},
	};
}
