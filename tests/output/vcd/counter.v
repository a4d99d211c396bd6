// SPDX-License-Identifier: MIT
module counter(input clk, input rst, output reg [7:0] q, output reg [69:0] wide);
  always @(posedge clk) if (rst) begin q <= 0; wide <= 1; end else begin q <= q + 3; wide <= {wide[68:0], wide[69]}; end
endmodule
