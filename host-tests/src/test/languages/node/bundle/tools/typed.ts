export const handlers: Record<string, () => string> = { a: () => 'typescript' };
