// The handlers of the specification of tools, section 4.2, without their types.
export const handlers = {
  'calc.add': async (ctx, input) => {
    const { a, b } = input;

    // 입력 검증
    if (typeof a !== 'number' || typeof b !== 'number') {
      throw new Error('a와 b는 숫자여야 합니다.');
    }

    return {
      result: a + b,
      expression: `${a} + ${b} = ${a + b}`,
    };
  },

  'calc.multiply': async (ctx, input) => {
    const { a, b } = input;
    return {
      result: a * b,
      expression: `${a} × ${b} = ${a * b}`,
    };
  },
};
