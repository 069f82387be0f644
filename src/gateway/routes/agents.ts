import * as z from 'zod';
import { agentSecretsSchema } from '#contract/agents.ts';
import type { AgentRegistry } from '../agents/agentRegistry.ts';
import type { Attachments } from '../attachments.ts';
import type { Route } from '../server/route.ts';

/**
 * Body of an attachment (beyond the contract): absolute paths of agents folders to serve while it lasts, and whether the gateway's log is told to it, with
 * its last lines (`all`) or without (`new`).
 */
export const attachRequestSchema = z.object({ agents: z.array(z.string().min(1)).default([]), log: z.enum(['all', 'new']).optional() });

/** An attachment that reads more slowly than the log is written misses lines from so many bytes on. */
const mostWaiting = 1024 * 1024;

/** Body of a check (beyond the contract): the text of an agent file, saved or not. */
export const checkRequestSchema = z.object({ source: z.string() });

/** Agents of this gateway: list, publish, unpublish, check, secrets; and attachments of windows (all beyond the contract). */
export function agentRoutes(agents: AgentRegistry, attachments: Attachments, configuration: string): readonly Route[] {
	return [
		{
			method: 'GET',
			path: '/v1/agent/agents',
			group: 'agent',
			async handle(exchange) {
				exchange.sendJson(200, { data: await agents.list() });
			},
		},
		{
			method: 'POST',
			path: '/v1/agent/agents/{name}/publish',
			group: 'agent',
			async handle(exchange) {
				exchange.sendJson(200, await agents.publish(exchange.params['name'] ?? ''));
			},
		},
		{
			method: 'POST',
			path: '/v1/agent/agents/{name}/unpublish',
			group: 'agent',
			async handle(exchange) {
				exchange.sendJson(200, await agents.unpublish(exchange.params['name'] ?? ''));
			},
		},
		{
			method: 'POST',
			path: '/v1/agent/agents/{name}/check',
			group: 'agent',
			async handle(exchange) {
				const { source } = await exchange.json(checkRequestSchema);
				exchange.sendJson(200, await agents.check(exchange.params['name'] ?? '', source));
			},
		},
		{
			method: 'GET',
			path: '/v1/agent/agents/{name}/published',
			group: 'agent',
			async handle(exchange) {
				exchange.sendJson(200, await agents.publishedSource(exchange.params['name'] ?? ''));
			},
		},
		{
			method: 'POST',
			path: '/v1/agent/agents/{name}/secrets',
			group: 'agent',
			async handle(exchange) {
				const { file, values } = await exchange.json(agentSecretsSchema);
				await agents.giveSecrets(exchange.params['name'] ?? '', file, values);
				exchange.sendJson(200, { result: 'success' });
			},
		},
		{
			method: 'POST',
			path: '/v1/agent/attach',
			group: 'agent',
			async handle(exchange) {
				const body = await exchange.json(attachRequestSchema);
				const { response } = exchange;
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
				response.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-cache' });
				response.write(`${JSON.stringify({ attached: true, configuration })}\n`);
				if (body.log) {
					const tell = (lines: string) => {
						if (response.writableLength < mostWaiting) {
							response.write(`${JSON.stringify({ log: lines })}\n`);
						}
					};
					releases.push(attachments.followLog(tell, body.log === 'all'));
				}
			},
		},
	];
}
