import { localizable } from '#base/text/localizableMessage.ts';
import { endpoints } from '#contract/endpoints/endpoints.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { ModelCacheSize, TextCallBodies, TextCallEntry, TextCallPage, UsageReport } from '#contract/text/textCalls.ts';
import { createRoute, type Route } from '../../server/route.ts';
import type { TextCallRows as StoredPage, TextCallStore } from '../../store/textCallStore.ts';
import type { TextCalls } from '../../textGeneration/textCalls.ts';

/** Routes for the request log, the usage, and the reply cache (not in the contract). */
export function createTextCallRoutes({ recorder, cache }: TextCalls, store: TextCallStore): readonly Route[] {
	return [
		createRoute(endpoints.listTextCalls, async exchange => {
			const query = exchange.readQuery(endpoints.listTextCalls.query);
			const { model, agent, keyword, status, created_at__after: after, created_at__before: before, last_id: lastId, limit } = query;
			await recorder?.flushCalls();
			const filter = {
				...(model !== undefined && { model }),
				...(agent !== undefined && { agent }),
				...(keyword !== undefined && { keyword }),
				...(status !== undefined && { status }),
				...(after !== undefined && { after: Date.parse(after) }),
				...(before !== undefined && { before: Date.parse(before) }),
			};
			const { rows, next } = store.getCallPage(filter, lastId === undefined ? undefined : Number(lastId), limit);
			const page: TextCallPage = {
				limit,
				has_more: next !== undefined,
				next_id: next === undefined ? null : String(next),
				data: rows.map(toEntry),
			};
			exchange.sendJson(200, page);
		}),
		createRoute(endpoints.getTextCall, async exchange => {
			await recorder?.flushCalls();
			const id = exchange.params['id'] ?? '';
			const bodies: TextCallBodies | undefined = /^\d{1,15}$/.test(id) ? store.getBodies(Number(id)) : undefined;
			if (!bodies) {
				throw new ServiceFault(404, localizable`This call isn't in the request log. It may have been removed because of its age.`);
			}
			exchange.sendJson(200, bodies);
		}),
		createRoute(endpoints.getUsage, async exchange => {
			const { from, to, by } = exchange.readQuery(endpoints.getUsage.query);
			await recorder?.flushCalls();
			const data = store.getUsage(from, to, by).map(({ hits, ...row }) => ({ ...row, cache_hits: hits, cost: roundCost(row.cost) }));
			exchange.sendJson(200, { data } satisfies UsageReport);
		}),
		createRoute(endpoints.modelCache, exchange => exchange.sendJson(200, (cache?.getSize() ?? empty) satisfies ModelCacheSize)),
		createRoute(endpoints.clearModelCache, exchange => exchange.sendJson(200, (cache?.clear() ?? empty) satisfies ModelCacheSize)),
	];
}

const empty: ModelCacheSize = { entries: 0, bytes: 0 };

function toEntry({ id, at, hit, elapsed, agent, run, currency, ...row }: StoredPage['rows'][number]): TextCallEntry {
	return {
		...row,
		id: String(id),
		created_at: at / 1000,
		agent: agent || null,
		run_id: run || null,
		cache_hit: hit === 1,
		elapsed_time: elapsed / 1000,
		currency: currency || null,
	};
}

/** Rounds a cost to billionths to remove floating-point errors. */
function roundCost(cost: number): number {
	return Math.round(cost * 1_000_000_000) / 1_000_000_000;
}
