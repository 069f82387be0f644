import type { Route } from '../server/route.ts';

/** `/healthz`: says that the process serves requests, and which process it is. Needs no key and tells nothing else. */
export function healthRoutes(): readonly Route[] {
	return [
		{
			method: 'GET',
			path: '/healthz',
			group: 'open',
			handle: exchange => exchange.sendJson(200, { status: 'ok', service: 'agent-workbench-gateway', pid: process.pid }),
		},
	];
}
