import * as vscode from 'vscode';
import { type AgentDiagnostic, findFaultsInSlices } from '#agentFile/checks/agentFaults.ts';
import type { AgentSchema } from '#agentFile/checks/agentSchema.ts';
import { CleanItems } from '#agentFile/checks/cleanItems.ts';
import { loadAgentSchema } from '#agentFile/checks/loadAgentSchema.ts';
import { findLooseNodes } from '#agentFile/checks/looseNodes.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { EventLoopYield } from '#base/timing/eventLoopYield.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { AgentReadings } from '../files/agentReadings.ts';
import type { LastValues } from '../lastRuns/lastValues.ts';
import { listNodeTexts, type NodeText } from '../lastRuns/nodeTexts.ts';
import { AgentNavigation } from '../navigation/agentNavigation.ts';
import { AgentCompletion } from './agentCompletion.ts';
import { AgentHovers } from './agentHovers.ts';
import { AgentQuickFixes } from './agentQuickFixes.ts';
import { AvailableModels } from './availableModels.ts';
import { createEnterRules } from './enterRules.ts';

/**
 * Language features of agent files that work without the gateway: completion, hovers, diagnostics and quick fixes. They use the JSON schema
 * that is generated from the engine's schemas. This code is in a bundle chunk that loads with the first agent file.
 */
export class AgentEditing {
	/** Parsed agent files, shared with the graph. */
	readonly readings = new AgentReadings();
	readonly navigation = new AgentNavigation(this.readings);
	/** These rules apply to all YAML files, because VS Code sets Enter rules per language, not per file. */
	readonly enterRules = createEnterRules(vscode.IndentAction.None);
	readonly completion: AgentCompletion;
	readonly hovers: AgentHovers;
	readonly quickFixes: AgentQuickFixes;
	readonly #schema: AgentSchema;
	readonly #models: AvailableModels;
	readonly #faults = new WeakMap<AgentReading, Promise<readonly AgentDiagnostic[]>>();
	readonly #clean = new CleanItems();

	/** @param extensionPath extension folder, which contains the schema */
	constructor(extensionPath: string, connections: Connections, lastValues: LastValues, log: vscode.LogOutputChannel) {
		const { readings } = this;
		this.#schema = loadAgentSchema(extensionPath, vscode.l10n.t);
		this.#models = new AvailableModels(connections, log);
		this.completion = new AgentCompletion({ extensionPath, readings, schema: this.#schema, models: this.#models });
		this.hovers = new AgentHovers(readings, this.#schema, lastValues);
		this.quickFixes = new AgentQuickFixes(document => this.listFaults(document));
	}

	/** Returns the nodes of a document or text by node ID. */
	async readNodeTexts(file: vscode.TextDocument | string): Promise<ReadonlyMap<string, NodeText>> {
		return listNodeTexts(typeof file === 'string' ? new AgentReading(file) : await this.readings.readDocument(file));
	}

	/** Returns the problems found in the text alone, in text order. Cached, because Problems, quick fixes and forms all request them. */
	async listFaults(document: vscode.TextDocument): Promise<readonly AgentDiagnostic[]> {
		const reading = await this.readings.readDocument(document);
		const known = this.#faults.get(reading);
		const tools = { t: vscode.l10n.t, clean: this.#clean, yielder: new EventLoopYield() };
		const faults = known ?? findFaultsInSlices(reading, this.#schema, tools);
		this.#faults.set(reading, faults);
		return faults;
	}

	/** Returns the positions of the IDs of nodes that no edge leads to. */
	async listLooseNodes(document: vscode.TextDocument): Promise<ReturnType<typeof findLooseNodes>> {
		return findLooseNodes(await this.readings.readDocument(document));
	}

	/** Returns the names of available models. */
	listModelNames(): Promise<readonly string[]> {
		return this.#models.listModelNames();
	}
}
