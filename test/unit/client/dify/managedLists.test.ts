import assert from 'node:assert/strict';
import { GivenArguments } from '#cli/arguments/givenArguments.ts';
import { commands } from '#cli/arguments/options.ts';
import type { DifyWork } from '#cli/commands/dify/difyWork.ts';
import { listApps } from '#cli/commands/dify/listApps.ts';
import { iterateVersions } from '#client/dify/managedLists.ts';
import type { DifyApp, DifyManagement } from '#client/dify/management.ts';
import { AppLists } from '#editor/dify/appLists.ts';
import { collectEvents } from '../fakeService.ts';

const createApp = (id: number): DifyApp => ({ id: `${id}`, name: `App ${id}`, description: '', mode: 'workflow', updatedAt: 1 });

/** A deployment whose lists always have another page, with the items of these IDs. */
function createEndlessManagement(getIds: (page: number) => number[]): DifyManagement & { readonly pages: number[] } {
	const pages: number[] = [];
	const createPage = (page: number) => {
		pages.push(page);
		return { apps: getIds(page).map(createApp), versions: getIds(page).map(createApp), page, total: 1_000_000, hasMore: true };
	};
	return {
		pages,
		apps: async ({ page }: { page: number }) => createPage(page),
		versions: async (_app: string, page: number) => createPage(page),
	} as unknown as DifyManagement & { readonly pages: number[] };
}

/** Runs `dify apps`. Returns its output. */
async function runListApps(management: DifyManagement): Promise<string> {
	let out = '';
	const spec = commands.find(({ name }) => name === 'dify apps') ?? assert.fail();
	await listApps({
		given: new GivenArguments(spec, []),
		open: async () => management,
		signal: new AbortController().signal,
		write: async text => {
			out += text;
		},
	} as Partial<DifyWork> as DifyWork);
	return out;
}

describe('lists of a Dify deployment that never end', () => {
	for (const [what, getIds, pages, items] of [
		['repeat a page', () => [1, 2], 2, 2],
		['repeat two pages in turn', page => [page % 2], 3, 2],
		['have only empty pages after the first', page => (page === 1 ? [1] : []), 2, 1],
	] as [string, (page: number) => number[], number, number][]) {
		it(`end if they ${what}`, async () => {
			const management = createEndlessManagement(getIds);
			assert.equal((await runListApps(management)).split('\n').length - 1, items);
			assert.equal((await new AppLists(async () => management).loadAppList('x')).length, items);
			assert.equal((await collectEvents(iterateVersions(management, 'a'))).length, items);
			assert.equal(management.pages.length, 3 * pages);
		});
	}

	it('fail if they have new items forever', async () => {
		const management = createEndlessManagement(page => [page]);
		const expected = { name: 'ServiceError', reason: 'protocol', message: /has more than 10000 pages, the limit for lists\.$/ };
		await assert.rejects(runListApps(management), expected);
		await assert.rejects(new AppLists(async () => management).loadAppList('x'), expected);
		assert.equal(management.pages.length, 20_000);
	});
});
