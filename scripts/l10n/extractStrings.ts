import {
	type Expression,
	isArrayLiteralExpression,
	isBinaryExpression,
	isCallExpression,
	isConditionalExpression,
	isIdentifier,
	isNoSubstitutionTemplateLiteral,
	isObjectLiteralExpression,
	isParameterDeclaration,
	isParenthesizedExpression,
	isPropertyAccessExpression,
	isPropertyAssignment,
	isPropertyDeclaration,
	isPropertySignatureDeclaration,
	isStringLiteral,
	isTaggedTemplateExpression,
	isTemplateExpression,
	isTypeReferenceNode,
	type Node,
	type TemplateExpression,
} from 'typescript/unstable/ast';
import { visitSourceFiles } from '../lib/sourceFiles.ts';
import { formSchema, listFormStrings } from './formStrings.ts';

/** A message of the code, as the editor looks it up. */
export interface ExtractedString {
	readonly message: string;
	/** Comments for translators; part of the key. */
	readonly comment: readonly string[];
	/** Relative to the checkout, sorted by name. */
	readonly files: string[];
}

/** Code that translators or the editor couldn't handle. */
export interface CodeFault {
	readonly file: string;
	readonly line: number;
	readonly message: string;
}

export interface ExtractedStrings {
	/** Messages by key: the message, or `message/comment`. */
	readonly strings: ReadonlyMap<string, ExtractedString>;
	/** Keys of the buttons of each message with at least two. */
	readonly buttons: readonly (readonly string[])[];
	readonly faults: readonly CodeFault[];
}

/** Files that forward messages of another process or of a schema, or that implement `t`. */
const passesOn: readonly string[] = [
	'src/agentFile/checks/loadAgentSchema.ts',
	'src/base/text/localizableMessage.ts',
	'src/base/text/fillPlaceholders.ts',
	'src/editor/agents/graph/translateForm.ts',
	'src/editor/platform/translateError.ts',
];

/**
 * Finds all messages: first arguments of `t(…)`, templates with the tag `localizable`, and the texts of forms in the agent file's schema.
 */
export function extractStrings(project?: Parameters<typeof visitSourceFiles>[1]): ExtractedStrings {
	const found = new Extraction();
	visitSourceFiles((file, source) => found.visitFile(file, source.text, source), project);
	if (!project) {
		found.addFormStrings();
	}
	return found;
}

/** A call of `t`. */
type Translation = Node & { readonly arguments: readonly Expression[] };

class Extraction implements ExtractedStrings {
	readonly strings = new Map<string, ExtractedString>();
	readonly buttons: string[][] = [];
	readonly faults: CodeFault[] = [];
	#file = '';
	#text = '';

	visitFile(file: string, text: string, source: Node): void {
		this.#file = file;
		this.#text = text;
		const visitNode = (node: Node): undefined => {
			this.#readNode(node);
			node.forEachChild(visitNode);
		};
		visitNode(source);
	}

	addFormStrings(): void {
		this.#file = formSchema;
		for (const { message, comment } of listFormStrings()) {
			this.#addString(message, comment);
		}
	}

	#readNode(node: Node): void {
		if (isCallExpression(node)) {
			if (isTranslation(node)) {
				this.#addTranslation(node, node.arguments[0]);
			}
			const name = isPropertyAccessExpression(node.expression) ? node.expression.name.text : '';
			if (/^toLocale\w*String$/.test(name) && isUndefinedNode(node.arguments[0])) {
				this.#reportFault(node, `${name}() without a language. Use the functions of format.ts (or pass 'en' if the text is English).`);
			}
			if (/^show\w+Message$/.test(name)) {
				const keys = node.arguments.slice(1).flatMap(each => findTranslations(each).map(call => readMessage(call.arguments[0])?.key ?? ''));
				this.buttons.push(...(keys.length > 1 ? [keys] : []));
			}
		} else if (isTaggedTemplateExpression(node)) {
			if (isIdentifier(node.tag) && node.tag.text === 'localizable') {
				this.#addString(toMessageTemplate(node.template), []);
			}
		} else if (isTemplateExpression(node)) {
			if (!node.parent || !isTaggedTemplateExpression(node.parent)) {
				this.#checkTemplate(node);
			}
		} else if (isBinaryExpression(node)) {
			if ([node.left, node.right].some(each => findTranslations(each).length > 0) && this.#getText(node.operatorToken) === '+') {
				this.#reportFault(node, "A translated string is joined with '+'. Make it one string with placeholders.");
			}
		} else if (isParameterDeclaration(node) || isPropertyDeclaration(node) || isPropertySignatureDeclaration(node)) {
			const isTranslate = node.type && isTypeReferenceNode(node.type) && this.#getText(node.type) === 'Translate';
			if (isTranslate && !/^#?t$/.test(this.#getText(node.name))) {
				this.#reportFault(node, "A function of type 'Translate' must be named 't', so that its strings are found.");
			}
		}
	}

	#addTranslation(call: Node, argument: Expression | undefined): void {
		if (passesOn.includes(this.#file)) {
			return;
		}
		const read = readMessage(argument);
		if (!read) {
			this.#reportFault(call, 'The first argument of t(…) must be one string literal, or { message, comment } with literals.');
			return;
		}
		if (read.message !== read.message.trim()) {
			this.#reportFault(
				call,
				'A translated string begins or ends with a space: it is glued to other text. Make it one string with placeholders.',
			);
		}
		if (/(?<!\\)\\u/.test(this.#getText(argument!))) {
			this.#reportFault(call, 'A \\u escape in a translated string. Type the character.');
		}
		this.#addString(read.message, read.comment);
	}

	#addString(message: string, comment: readonly string[]): void {
		const key = toBundleKey(message, comment);
		const known = this.strings.get(key);
		if (!known) {
			this.strings.set(key, { message, comment, files: [this.#file] });
		} else if (!known.files.includes(this.#file)) {
			known.files.push(this.#file);
		}
	}

	/**
	 * Reports a template that concatenates a translated string with words or with another string. Icons, Markdown, HTML tags, ` · ` and
	 * line breaks are allowed.
	 */
	#checkTemplate({ head, templateSpans }: TemplateExpression): void {
		const translations = templateSpans.map(({ expression }) => findTranslations(expression));
		if (translations.every(({ length }) => length === 0)) {
			return;
		}
		const texts = [head.text, ...templateSpans.map(({ literal }) => literal.text)].map(text =>
			text.replace(/\$\([\w~-]+\)|<[^<>]+>|```\w*/g, ''),
		);
		const isSentenceEnd = (call: Translation) => /[.!?]$/.test(readMessage(call.arguments[0])?.message ?? '');
		const isGlued = templateSpans.some(
			(_span, index) =>
				translations[index]?.length &&
				translations[index + 1]?.length &&
				/^ *$/.test(texts[index + 1] ?? '') &&
				!translations[index].every(isSentenceEnd),
		);
		if (isGlued || texts.some(text => /[\p{L}\p{N}.,:;?!'"]/u.test(text))) {
			this.#reportFault(head, 'A translated string is glued to other text in a template. Make it one string with placeholders.');
		}
	}

	#getText(node: Node): string {
		return this.#text.slice(node.pos, node.end).trim();
	}

	#reportFault(node: Node, message: string): void {
		const { length } = this.#text.slice(node.pos, node.end).trimStart();
		this.faults.push({ file: this.#file, line: this.#text.slice(0, node.end - length).split('\n').length, message });
	}
}

/** Returns the editor's key of a message (`vscode.l10n.t`). */
function toBundleKey(message: string, comment: readonly string[]): string {
	return comment.length > 0 ? `${message}/${comment.join('')}` : message;
}

function isTranslation(node: Node): node is Translation {
	if (!isCallExpression(node)) {
		return false;
	}
	const name = isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
	return 'text' in name && /^#?t$/.test(String(name.text));
}

/** Finds calls of `t` that can be the value of this expression. */
function findTranslations(node: Node): Translation[] {
	if (isParenthesizedExpression(node)) {
		return findTranslations(node.expression);
	}
	if (isConditionalExpression(node)) {
		return [node.whenTrue, node.whenFalse].flatMap(findTranslations);
	}
	return isTranslation(node) ? [node] : [];
}

function readMessage(argument: Expression | undefined): { key: string; message: string; comment: readonly string[] } | undefined {
	if (!argument) {
		return undefined;
	}
	if (!isObjectLiteralExpression(argument)) {
		const message = readLiteral(argument);
		return message === undefined ? undefined : { key: message, message, comment: [] };
	}
	const values = new Map(
		argument.properties.flatMap(each =>
			isPropertyAssignment(each) && isIdentifier(each.name) ? [[each.name.text, each.initializer]] : [],
		),
	);
	const [message, comment] = [values.get('message'), values.get('comment')];
	const text = message && readLiteral(message);
	const comments = comment && (isArrayLiteralExpression(comment) ? comment.elements : [comment]).map(readLiteral);
	return text !== undefined && comments?.every(each => each !== undefined)
		? { key: toBundleKey(text, comments), message: text, comment: comments }
		: undefined;
}

function readLiteral(node: Node): string | undefined {
	return isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node) ? node.text : undefined;
}

/** Returns the text of a template literal with `{0}` … in place of its values. */
function toMessageTemplate(template: Node): string {
	return isTemplateExpression(template)
		? template.templateSpans.reduce((text, { literal }, index) => `${text}{${index}}${literal.text}`, template.head.text)
		: (readLiteral(template) ?? '');
}

function isUndefinedNode(node: Expression | undefined): boolean {
	return !node || (isIdentifier(node) && node.text === 'undefined');
}
