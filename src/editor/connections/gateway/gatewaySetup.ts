import * as vscode from 'vscode';
import { fieldsOf, isRecord } from '#base/records/plainValues.ts';
import { networkSettings } from '../networkSettings.ts';
import { configuredDatasets } from './datasets.ts';
import { flagSettings, gatewaySection, workspaceDatasets } from './gatewaySettings.ts';
import { type UpstreamKeyUse, upstreamKeyName, withNamedKeys } from './namedKeys.ts';

/** Settings as a gateway is started with them. */
interface GatewaySetup {
	/** Content of the `--config` file. Its key names are made by {@link upstreamKeyName}. */
	readonly config: Readonly<Record<string, unknown>>;
	/** Flags in addition to those that every gateway of the editor has. */
	readonly flags: readonly string[];
	readonly keys: readonly UpstreamKeyUse[];
	/** Not part of {@link config}, because it can contain a password. */
	readonly proxy: string | undefined;
}

/** Reads the current settings for starting a gateway. They come from the user settings, except for those that `GatewaySettings` names. */
export function gatewaySetup(): GatewaySetup {
	const keys = new Map<string, UpstreamKeyUse>();
	const withKey = (target: Readonly<Record<string, unknown>>, provider: string) => {
		if (typeof target['key'] !== 'string') {
			return target;
		}
		const use = { name: target['key'], origin: originOf(target['base_url']) ?? provider };
		keys.set(upstreamKeyName(use), use);
		return { ...target, key: upstreamKeyName(use) };
	};
	const routes = listOf(userValue('routes')).map(route => (isRecord(route) ? withKey(route, String(route['provider'])) : route));
	const agents = Object.entries(fieldsOf(userValue('remoteAgents'))).map(([agent, target]) => [
		agent,
		isRecord(target) && isRecord(target['dify']) ? { ...target, dify: withKey(target['dify'], 'dify') } : target,
	]);
	const named = (name: string, target: unknown, address: string) =>
		withNamedKeys(target, originOf(fieldsOf(target)[address]) ?? name, keys);
	const mcpServers = Object.entries(fieldsOf(userValue('mcpServers'))).map(([name, server]) => [name, named(`mcp:${name}`, server, 'url')]);
	const apiTools = Object.entries(fieldsOf(userValue('apiTools'))).map(([name, api]) => [name, named(`api:${name}`, api, 'base_url')]);
	const search = fieldsOf(userValue('search'));
	const python = userValue('python');
	const { proxy, noProxy, strictSSL } = networkSettings();
	const maxSteps = userValue('maxSteps');
	const maxPausedDays = userValue('maxPausedDays');
	return {
		proxy,
		config: {
			routes,
			agents: Object.fromEntries(agents),
			agents_as_models: listOf(userValue('agentsAsModels')),
			mcp_servers: Object.fromEntries(mcpServers),
			api_tools: Object.fromEntries(apiTools),
			...(Object.keys(search).length > 0 && { search: named('search', search, 'url') }),
			knowledge: configuredDatasets({ user: userValue('knowledge'), workspace: workspaceDatasets() }, dify => withKey(dify, 'dify')),
			allowed_origins: listOf(userValue('allowedOrigins')),
			request_log: fieldsOf(userValue('requestLog')),
			network: { strict_ssl: strictSSL, ...(noProxy?.length && { no_proxy: noProxy }) },
			engine: {
				allow_private_network: userValue('allowPrivateNetwork') === true,
				...(typeof python === 'string' && python !== '' && { python }),
				...(typeof maxSteps === 'number' && { max_steps: maxSteps }),
				...(typeof maxPausedDays === 'number' && { max_paused_days: maxPausedDays }),
			},
		},
		flags: Object.entries(flagSettings).flatMap(([name, flag]) => {
			// workspaces can set the port: each has its own gateway, and they can't share a port
			const value = name === 'port' ? vscode.workspace.getConfiguration(gatewaySection).get(name) : userValue(name);
			return typeof value === 'number' ? [flag, String(value)] : [];
		}),
		keys: [...keys.values()],
	};
}

/** Reads only the user's value, although the setting's scope already excludes workspace values. */
function userValue(name: string): unknown {
	return vscode.workspace.getConfiguration(gatewaySection).inspect(name)?.globalValue;
}

function originOf(url: unknown): string | undefined {
	return typeof url === 'string' ? URL.parse(url)?.origin : undefined;
}

function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}
