import type { IncomingHttpHeaders } from 'node:http';
import { localizable } from '#base/text/localizableMessage.ts';
import type { RouteGroup } from '#contract/faults/routeGroup.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { Route } from './route.ts';

/** The route of a request, with the values of its placeholders. */
interface RouteMatch {
	readonly route: Route;
	readonly params: Readonly<Record<string, string>>;
}

/** Finds the route for a method and a path. Fixed paths need one lookup, others are tried in the order they were added. */
export class Router {
	readonly #fixed = new Map<string, Map<string, Route>>();
	readonly #patterns: { readonly regex: RegExp; readonly names: readonly string[]; readonly route: Route }[] = [];

	add(routes: readonly Route[]): void {
		for (const route of routes) {
			if (route.path.includes('{')) {
				this.#patterns.push({ ...compilePath(route.path), route });
				continue;
			}
			const methods = this.#fixed.get(route.path) ?? new Map<string, Route>();
			methods.set(route.method, route);
			this.#fixed.set(route.path, methods);
		}
	}

	/** All routes, those with fixed paths first. */
	get routes(): readonly Route[] {
		return [...[...this.#fixed.values()].flatMap(methods => [...methods.values()]), ...this.#patterns.map(({ route }) => route)];
	}

	/**
	 * Finds the route. `HEAD` works for every `GET` route. Throws an error: 404 for an unknown path, 405 for a method that isn't allowed, 400
	 * for an invalid `%` sequence.
	 * @param shown the path as the client wrote it, for messages
	 * @param group group whose paths the message for an unknown path lists
	 */
	findRoute(asked: string, path: string, shown = path, group = getPathGroup(path)): RouteMatch {
		const method = asked === 'HEAD' ? 'GET' : asked;
		const methods = this.#fixed.get(path);
		const fixed = methods?.get(method);
		if (fixed) {
			return { route: fixed, params: {} };
		}
		const others = [...(methods?.values() ?? [])];
		for (const { regex, names, route } of this.#patterns) {
			const found = regex.exec(path);
			if (!found) {
				continue;
			}
			if (route.method === method) {
				return { route, params: Object.fromEntries(names.map((name, i) => [name, decodeValue(found[i + 1] ?? '')])) };
			}
			others.push(route);
		}
		// Google's verbs are part of the path, so an unknown one is an unknown path
		if (others.length > 0 && others.some(route => route.group !== 'content')) {
			const allowed = [...new Set(others.map(route => route.method))];
			throw new ServiceFault(405, localizable`${asked} isn't allowed for this path. Expected ${allowed.join(' or ')}.`, {
				headers: { allow: allowed.join(', ') },
			});
		}
		throw new ServiceFault(404, `Unknown path '${shown.slice(0, 200)}'.${formatServedPaths(group)}`);
	}
}

/** Returns the group whose error format a caller expects, before a route is found. */
export function getPathGroup(path: string, headers: IncomingHttpHeaders = {}): RouteGroup {
	if (path.startsWith('/v1beta/')) {
		return 'content';
	}
	if (openAiPath.test(path)) {
		return 'openai';
	}
	if (path === '/v1/models' || path.startsWith('/v1/models/')) {
		return getModelListGroup(headers);
	}
	if (path === '/mcp') {
		return 'mcp';
	}
	if (path.startsWith('/v1/agent/')) {
		return 'agent';
	}
	// for an unknown path, use credential, version and path to determine the client's protocol
	if (headers['x-goog-api-key'] !== undefined) {
		return 'content';
	}
	// Anthropic has files too
	if (unservedOpenAiPath.test(path) && !(hasApiVersion(headers) && path.startsWith('/v1/files'))) {
		return 'openai';
	}
	return path.startsWith('/v1/') ? 'messages' : 'agent';
}

/**
 * Returns the group of a caller that lists models. Anthropic's clients always send their API version, so callers of `/v1/models` without
 * one use OpenAI's protocol.
 */
export function getModelListGroup(headers: IncomingHttpHeaders): RouteGroup {
	return hasApiVersion(headers) ? 'messages' : 'openai';
}

function hasApiVersion(headers: IncomingHttpHeaders): boolean {
	return headers['anthropic-version'] !== undefined || headers['provider-version'] !== undefined;
}

const openAiPath = /^\/v1\/(?:chat\/completions|completions|embeddings|responses(?:\/.*)?)$/;

/** Lists the paths that the gateway serves in the client's protocol. */
function formatServedPaths(group: RouteGroup): string {
	return hasServedPaths(group) ? ` ${servedPaths[group]}` : '';
}

function hasServedPaths(group: RouteGroup): group is keyof typeof servedPaths {
	return group in servedPaths;
}

const servedPaths = {
	messages: "Available paths for Anthropic's protocol: /v1/messages, /v1/messages/count_tokens, /v1/complete and /v1/models.",
	content:
		"Available for Gemini's protocol: generateContent, streamGenerateContent, countTokens, embedContent and batchEmbedContents of /v1beta/models/MODEL, and /v1beta/models.",
	openai: "Available paths for OpenAI's protocol: /v1/chat/completions, /v1/responses, /v1/completions, /v1/embeddings and /v1/models.",
} as const;

const unservedOpenAiPath =
	/^\/(?:(?:chat\/completions|completions|responses|embeddings)|v1\/(?:chat|responses|assistants|threads|images|audio|files|batches|moderations|realtime))(?:\/|$)/;

function compilePath(path: string): { regex: RegExp; names: readonly string[] } {
	const names: string[] = [];
	const source = path
		.split(/(\{\w+\+?\})/)
		.map(piece => {
			const placeholder = /^\{(\w+)(\+?)\}$/.exec(piece);
			if (!placeholder) {
				// clients may percent-encode the colon before Google's verb
				return piece.replaceAll('.', '\\.').replaceAll(':', '(?::|%3[Aa])');
			}
			names.push(placeholder[1] ?? '');
			return placeholder[2] ? '(.+)' : '([^/]+)';
		})
		.join('');
	return { regex: new RegExp(`^${source}$`), names };
}

function decodeValue(value: string): string {
	try {
		return decodeURIComponent(value);
	} catch {
		throw new ServiceFault(400, localizable`The path has an invalid percent sequence: '${value.slice(0, 100)}'.`);
	}
}
