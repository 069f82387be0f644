import { isCollection, isMap, isPair, isScalar, Lexer, visit, type Node as YamlNode } from 'yaml';
import type { Translate } from '#base/text/localization.ts';
import { readContinuedTokens } from '../continuedLines.ts';
import type { AgentReading } from '../reading/agentReading.ts';
import type { AgentDiagnostic } from './agentFaults.ts';

/** Characters that PyYAML rejects anywhere in a file. */
const refusedCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/g;
/**
 * Matches any file that has a tag, an anchor, a directive, a collection as a key, or a plain `=` or `<<`. Only for such a file, the whole
 * document is built, because that takes too long for every keystroke.
 */
const suspicious = /(?:^|[\s,[{:-])[!&]\S|(?:^|[\s,[{-])\?\s|[\s,[{:-](?:=|<<)[ \t]*(?:$|[,\]}#])|(?<![\]}])[\]}][ \t]*:(?=\s)|^%YAML/m;
const knownTags = /^(?:!|tag:yaml\.org,2002:(?:null|bool|int|float|binary|timestamp|omap|pairs|set|str|seq|map))$/;
/** Tags of lists that PyYAML reads as tuples. */
const pairTags = /^tag:yaml\.org,2002:(?:omap|pairs)$/;
const mostFaults = 20;

/**
 * Finds syntax that makes Dify reject the whole file, although the gateway can read it. Reported as warnings, because local runs aren't
 * affected.
 */
export function findHostedFaults(reading: AgentReading, t: Translate): AgentDiagnostic[] {
	const { text } = reading;
	const faults: AgentDiagnostic[] = [];
	const addWarning = (offset: number, length: number, message: string) => {
		if (faults.length < mostFaults) {
			faults.push({ code: 'syntax', severity: 'warning', path: [], offset, length, message });
		}
	};
	for (const { 0: character, index } of text.matchAll(refusedCharacter)) {
		const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
		addWarning(index, 1, t('Dify refuses files with the character U+{0}. Remove it, or write it as "\\u{0}" in double quotes.', code));
	}
	for (const offset of text.includes('\t') ? findTabs(text) : []) {
		addWarning(offset, 1, t('Dify refuses files that have a tab here. Use spaces, or put the value in quotes.'));
	}
	if (suspicious.test(text)) {
		addNodeWarnings(reading, addWarning, t);
	}
	return faults;
}

/** Returns the offsets of tabs between tokens and in plain scalars. Tabs in quotes, block scalars and comments are allowed. */
function findTabs(text: string): readonly number[] {
	const found: number[] = [];
	let offset = text.startsWith('\ufeff') ? 1 : 0;
	let isBlock = false;
	for (const token of readContinuedTokens(text) ?? new Lexer().lex(text)) {
		// skip marks of the lexer, which aren't in the text
		if (/^[\u0002\u0018\u001f]$/.test(token)) {
			continue;
		}
		const tab = token.indexOf('\t');
		if (tab >= 0 && !isBlock && !/^["'#]/.test(token)) {
			found.push(offset + tab);
		}
		isBlock = /^[|>]/.test(token) || (isBlock && /^(?:[ \t]+|\r?\n|#.*)$/.test(token));
		offset += token.length;
	}
	return found;
}

function addNodeWarnings({ document }: AgentReading, add: (offset: number, length: number, message: string) => void, t: Translate): void {
	const anchors = new Set<string>();
	const addWarningAtNode = ({ range }: YamlNode, message: string) =>
		add(range?.[0] ?? 0, Math.max(1, (range?.[1] ?? 1) - (range?.[0] ?? 0)), message);
	if (document && !/^1\./.test(document.directives?.yaml.version ?? '1.1')) {
		add(0, 1, t('Dify refuses files with this YAML version. Use 1.1 or 1.2, or remove the directive.'));
	}
	visit(document ?? null, {
		Node: (key, node, around) => {
			if ('tag' in node && node.tag !== undefined && !knownTags.test(node.tag)) {
				addWarningAtNode(node, t("Dify refuses files with the tag '{0}'. Remove it.", node.tag));
			}
			if ('tag' in node && node.tag !== undefined && pairTags.test(node.tag)) {
				addWarningAtNode(
					node,
					t("Dify reads the tag '{0}' as a list of pairs, but the built-in gateway doesn't support it. Remove it.", node.tag),
				);
			}
			if ('anchor' in node && node.anchor !== undefined) {
				if (anchors.has(node.anchor)) {
					addWarningAtNode(node, t("Dify refuses files that define the anchor '{0}' twice. Rename one.", node.anchor));
				}
				anchors.add(node.anchor);
			}
			if (key === 'key' && isCollection(node)) {
				addWarningAtNode(node, t('Dify refuses files that use a list or map as a key. Use a string.'));
			}
			const isPlain = isScalar(node) && node.type === 'PLAIN' && node.tag === undefined;
			const pair = around.at(-1);
			const isMerge = key === 'key' && isPair(pair) && isMap(around.at(-2));
			if (isPlain && (node.source === '=' || (node.source === '<<' && !isMerge))) {
				addWarningAtNode(node, t("Dify refuses files that contain '{0}' without quotes. Put it in quotes.", node.source));
			}
		},
	});
}
