import { endpoints } from '#contract/endpoints/endpoints.ts';
import type { AgentRegistry } from '../agents/agentRegistry.ts';
import type { Attachments } from '../attachments.ts';
import { createRoute, type Route } from '../server/route.ts';

/** Maximum number of unsent bytes. An attachment that reads too slowly misses further log lines. */
const mostWaiting = 1024 * 1024;

/**
 * Routes for the agents of this gateway (list, publish, unpublish, check, secrets) and for attached windows. None of them are in the
 * contract.
 */
export function createAgentRoutes(agents: AgentRegistry, attachments: Attachments, configuration: string): readonly Route[] {
	return [
		createRoute(endpoints.listAgents, async exchange => {
			exchange.sendJson(200, { data: await agents.listAgents() });
		}),
		createRoute(endpoints.publishAgent, async exchange => {
			exchange.sendJson(200, await agents.publishAgent(exchange.params['name'] ?? ''));
		}),
		createRoute(endpoints.unpublishAgent, async exchange => {
			exchange.sendJson(200, await agents.unpublishAgent(exchange.params['name'] ?? ''));
		}),
		createRoute(endpoints.checkAgent, async exchange => {
			const { source } = await exchange.readJson(endpoints.checkAgent.body);
			exchange.sendJson(200, await agents.checkSource(exchange.params['name'] ?? '', source));
		}),
		createRoute(endpoints.publishedAgent, async exchange => {
			exchange.sendJson(200, await agents.getPublishedSource(exchange.params['name'] ?? ''));
		}),
		createRoute(endpoints.giveAgentSecrets, async exchange => {
			const { file, values } = await exchange.readJson(endpoints.giveAgentSecrets.body);
			await agents.setSecrets(exchange.params['name'] ?? '', file, values);
			exchange.sendJson(200, { result: 'success' });
		}),
		createRoute(endpoints.attach, async exchange => {
			const body = await exchange.readJson(endpoints.attach.body);
			const { response } = exchange;
			// shows that the gateway is alive, because reading folders with thousands of files takes seconds
			response.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-cache' });
			response.flushHeaders();
			const releases = [attachments.add(() => response.destroy())];
			response.once('close', () => {
				for (const release of releases.splice(0)) {
					release();
				}
			});
			for (const folder of body.agents) {
				const release = await agents.addFolder(folder);
				if (response.destroyed) {
					release();
					return;
				}
				releases.push(release);
			}
			releases.push(agents.onChange(() => response.write('{"agents_changed":true}\n')));
			response.write(`${JSON.stringify({ attached: true, configuration })}\n`);
			releases.push(attachments.followCount(count => response.write(`${JSON.stringify({ attachments: count })}\n`)));
			if (body.log) {
				const sendLog = (lines: string) => {
					if (response.writableLength < mostWaiting) {
						response.write(`${JSON.stringify({ log: lines })}\n`);
					}
				};
				releases.push(attachments.followLog(sendLog, body.log === 'all'));
			}
		}),
	];
}
