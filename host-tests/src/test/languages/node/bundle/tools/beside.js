export const handlers = { a: () => 'beside' };
